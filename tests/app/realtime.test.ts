import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createJobSubscriptions } from '@/hooks/image-gen/job-subscriptions';
import { joinPresence } from '@/hooks/join-presence';
import { listenToTopic } from '@/hooks/realtime-topics';
import { projectDocument } from '@/lib/document/schema';
import type { ImageJob } from '@/lib/image-gen/schema';
import { apiAt } from '@/tests/app/support/api';
import { makeCuttableProxy } from '@/tests/app/support/cuttable-proxy';
import {
  cancelJob,
  readJob,
  refine,
  reportImage,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const clients: { end(): Promise<void> }[] = [];
let team: Team;
let projectId: string;

beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
});
afterAll(() => Promise.all(clients.map((client) => client.end())));

function newClient(person: { token: string }, supabaseUrl?: string) {
  const client = liveClient(env, person, supabaseUrl);
  clients.push(client);
  return client;
}

const sendReport = (jobId: string, run: number, body: object) =>
  reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: jobId, ...body }, run);
const fail = (jobId: string, run: number) => sendReport(jobId, run, { status: 'failed', error: 'x' });

/** Follows a topic and resolves when the topic is joined. */
async function followed(client: ReturnType<typeof newClient>, topic: string) {
  let joins = 0;
  const events = await client.follow(topic, () => {
    joins += 1;
  });
  await poll(`${topic} is joined`, async () => joins > 0);
  return events;
}

/**
 * Tries to join a public channel that has the name of a private topic. Returns the list of the messages that arrive.
 */
async function overhear(topic: string): Promise<unknown[]> {
  const { client } = newClient(team.stranger);
  const messages: unknown[] = [];
  await new Promise<void>((resolve) => {
    client
      .channel(topic)
      .on('broadcast', { event: '*' }, (message) => messages.push(message))
      .subscribe((status) => status !== 'CLOSED' && resolve());
  });
  return messages;
}

test("members receive each change of a job once, in order, on its own topic and on the project's topic", async () => {
  const jobId = await startJob(team.editor.api, { projectId });
  const { statusSeq: seqBefore } = await waitForJob(team.editor.api, jobId, 'running');
  const topics = [`image-job:${jobId}`, `project:${projectId}`];
  const ears = await Promise.all(
    [team.editor, team.viewer].flatMap((person) => {
      const client = newClient(person);
      return topics.map((topic) => followed(client, topic));
    }),
  );
  const overheard = await Promise.all(topics.map(overhear));
  await cancelJob(team.editor.api, jobId);
  await refine(team.editor.api, jobId, 'Warmer [silent]');
  await waitForJob(team.editor.api, jobId, 'running');
  await sendReport(jobId, 2, { status: 'running', progress: 0.5, note: 'Only members read this.' });
  await fail(jobId, 2);
  const { statusSeq } = await readJob(team.editor.api, jobId);
  for (const events of ears) {
    // The event of the start may still arrive after the topic is joined.
    const changes = await poll('all events have arrived', async () => {
      const later = events.filter((event) => event.statusSeq > seqBefore);
      return later.length >= 5 && later;
    });
    expect(changes.map(({ id: _, at: __, ...event }) => event)).toEqual([
      { jobId, status: 'canceled', statusSeq: statusSeq - 4, run: 1, progress: null },
      { jobId, status: 'queued', statusSeq: statusSeq - 3, run: 2, progress: null },
      { jobId, status: 'running', statusSeq: statusSeq - 2, run: 2, progress: null },
      { jobId, status: 'running', statusSeq: statusSeq - 1, run: 2, progress: 0.5 },
      { jobId, status: 'failed', statusSeq, run: 2, progress: null },
    ]);
  }
  expect(overheard.flat()).toEqual([]);
});

test('a stranger, a viewer of another project, a former member and an anonymous client receive no events of a job', async () => {
  const jobId = await startJob(team.editor.api, { projectId });
  const elsewhere = await makeProject(team.stranger.api);
  const left = await team.owner.api(`/api/projects/${projectId}/members`, {
    json: { email: team.stranger.email, role: 'viewer' },
  });
  expect(left.status).toBe(201);
  expect(await newClient(team.stranger).join(`image-job:${jobId}`)).toBe('SUBSCRIBED');
  await team.owner.api(`/api/projects/${projectId}/members/${team.stranger.id}`, { method: 'DELETE' });

  const anonymous = { token: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '' };
  for (const person of [team.stranger, anonymous]) {
    const ofProject = [`project:${projectId}`, `document:${projectId}`, 'project:', 'document:'];
    for (const topic of [`image-job:${jobId}`, ...ofProject, 'specs', 'image-job:%']) {
      expect(await newClient(person).join(topic), topic).toMatch(/^CHANNEL_ERROR/);
    }
  }
  expect(await newClient(team.viewer).join(`project:${elsewhere}`)).toMatch(/^CHANNEL_ERROR/);
  expect(await newClient(team.stranger).join(`project:${elsewhere}`)).toBe('SUBSCRIBED');
  expect(await newClient(await newAdmin(env)).join(`image-job:${jobId}`)).toBe('SUBSCRIBED');
});

test('members see who has a document open, and receive each save of it', async () => {
  const people = [team.editor, team.viewer];
  const seen = people.map(() => [] as readonly string[]);
  const saves: unknown[] = [];
  let isJoined = false;
  const { client } = newClient(team.viewer);
  // Join and leave immediately. The next join checks that a page can still join if it is opened again right afterward.
  joinPresence(client, `document:${projectId}`, team.viewer.id, () => undefined)();
  const leave = people.map((person, index) =>
    joinPresence(
      person === team.viewer ? client : newClient(person).client,
      `document:${projectId}`,
      person.id,
      (ids) => {
        seen[index] = ids;
      },
    ),
  );
  listenToTopic(client, `project:${projectId}`, {
    event: 'document',
    onEvent: (event) => saves.push(event),
    onJoined: (joined) => {
      isJoined = joined;
    },
  });
  const both = people.map(({ id }) => id).sort();
  for (const index of people.keys()) {
    await poll('both are seen', async () => isDeepStrictEqual(seen[index]?.toSorted(), both));
  }
  await poll('the topic is joined', async () => isJoined);

  const url = `/api/projects/${projectId}/pages`;
  const { body } = await team.editor.api(url);
  const saved = await team.editor.api(url, { method: 'PUT', json: body });
  expect(saved.status).toBe(200);
  await poll('the save has arrived', async () => saves.length > 0);
  const { version } = projectDocument.parse(saved.body);
  expect(saves).toMatchObject([{ version, savedBy: team.editor.id }]);
  expect((await team.viewer.api(`${url}/version`)).body).toEqual({ version, savedBy: team.editor.id });

  leave[0]?.();
  await poll('the editor has left', async () => isDeepStrictEqual(seen[1], [team.viewer.id]));
  leave[1]?.();
});

test('a client that was cut off reads what it missed as soon as it is connected again', async () => {
  const proxy = await makeCuttableProxy(env.NEXT_PUBLIC_SUPABASE_URL ?? '');
  const jobId = await startJob(team.editor.api, { projectId });
  await waitForJob(team.editor.api, jobId, 'running');
  const client = newClient(team.editor, proxy.url);
  // After each join, the client reads what it missed, as the app's pages do.
  const seen: ImageJob[] = [];
  const events = await client.follow(`image-job:${jobId}`, async () => {
    seen.push(await readJob(team.editor.api, jobId));
  });
  await poll('the client has joined', async () => seen.length > 0);

  proxy.cut();
  await cancelJob(team.editor.api, jobId);
  await poll('the client notices', async () => !client.client.realtime.isConnected());
  expect(events.map(({ status }) => status)).not.toContain('canceled');
  expect(seen).toHaveLength(1);
  proxy.mend();
  const again = await poll('the client has joined again', async () => seen[1]);
  expect(again.status).toBe('canceled');

  await refine(team.editor.api, jobId, 'Warmer [silent]');
  const later = await poll('events arrive again', async () => {
    const found = events.filter(({ statusSeq }) => statusSeq > again.statusSeq);
    return found.length >= 2 && found;
  });
  expect(later.map(({ status }) => status).slice(0, 2)).toEqual(['queued', 'running']);
  expect(later[0]?.statusSeq).toBe(again.statusSeq + 1);
  await client.end();
  await proxy.end();
});

test('listeners of a topic share a channel, and a topic that was just left can be joined again at once', async () => {
  const jobId = await startJob(team.editor.api, { projectId });
  await waitForJob(team.editor.api, jobId, 'running');
  const { client } = newClient(team.editor);
  const canceled: unknown[] = [];
  let isJoined = false;
  const listen = () =>
    listenToTopic(client, `image-job:${jobId}`, {
      event: 'job',
      // The event of the start may still arrive after the topic is joined.
      onEvent: (event) => (event as ImageJob).status === 'canceled' && canceled.push(event),
      onJoined: (joined) => {
        isJoined = joined;
      },
    });
  const [first, second] = [listen(), listen()];
  expect(second.channel).toBe(first.channel);
  await poll('the topic is joined', async () => isJoined);
  void first.channel.unsubscribe();
  expect([first.isOpen(), second.isOpen(), isJoined]).toEqual([false, false, false]);

  const again = listen();
  expect(again.channel).not.toBe(first.channel);
  await poll('the topic is joined again', async () => isJoined);
  await cancelJob(team.editor.api, jobId);
  await poll('the event has arrived', async () => canceled.length > 0);
  expect(canceled).toMatchObject([{ jobId, status: 'canceled' }]);
  expect(again.isOpen()).toBe(true);
});

test('a subscriber to a job also gets changes that polling finds while realtime is unavailable, until it unsubscribes', async () => {
  const proxy = await makeCuttableProxy(env.NEXT_PUBLIC_SUPABASE_URL ?? '');
  proxy.cut();
  const [jobId, other] = await Promise.all([
    startJob(team.editor.api, { projectId }),
    startJob(team.editor.api, { projectId }),
  ]);
  await Promise.all([jobId, other].map((id) => waitForJob(team.editor.api, id, 'running')));
  const { client } = newClient(team.editor, proxy.url);
  const reads: Promise<ImageJob>[] = [];
  const subscriptions = createJobSubscriptions(
    () => client,
    (id) => {
      const job = readJob(team.editor.api, id);
      reads.push(job);
      return job;
    },
  );
  const poll = async () => {
    subscriptions.resync();
    await Promise.all(reads.splice(0));
  };
  const receivedEvents: string[] = [];
  subscriptions.subscribe(jobId, ({ status }) => receivedEvents.push(status));
  const channel = subscriptions.subscribe(other, ({ jobId }) => receivedEvents.push(jobId));
  await channel.unsubscribe();
  await poll();
  await poll();
  expect(receivedEvents).toEqual(['running']);
  expect(subscriptions.hasUnfinished()).toBe(true);
  await cancelJob(team.editor.api, jobId);
  await poll();
  expect(receivedEvents).toEqual(['running', 'canceled']);
  expect(subscriptions.hasUnfinished()).toBe(false);
  subscriptions.endAll();
  await proxy.end();
});
