import { createClient } from '@supabase/supabase-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createImageGen } from '@/hooks/image-gen/image-gen';
import { jobOf, messageOf } from './support/image-gen-records';

const P = 'b0000000-0000-4000-8000-000000000001';
const JOB = 'a0000000-0000-4000-8000-000000000001';
const OTHER = 'a0000000-0000-4000-8000-000000000002';

const client = () => createClient('http://backend.test', 'key');

/** Stubs the API routes of two jobs with `prompts` prompts each. */
function serverOf({ prompts = 1, projectId = P } = {}) {
  const requests: string[] = [];
  const server = {
    requests,
    isDown: false,
    ofMessages: () => requests.filter((request) => request.includes('/messages')),
  };
  const jobs = [JOB, OTHER].map((jobId) => jobOf(jobId, 'running', 3, { projectId }));
  vi.stubGlobal('fetch', async (path: string, { method = 'GET', signal }: RequestInit) => {
    requests.push(`${method} ${path}`);
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    if (server.isDown) return Response.json({}, { status: 503 });
    const url = new URL(path, 'http://atelier.test');
    const [jobId = '', action] = url.pathname.split('/').slice(4);
    const job = jobs.find((job) => job.jobId === jobId);
    if (action === 'messages') {
      const end = Number(url.searchParams.get('cursor') ?? prompts + 1);
      const from = Math.max(1, end - Number(url.searchParams.get('limit')));
      const messages = Array.from({ length: end - from }, (_, i) => ({
        ...messageOf(jobId, from + i),
        id: `c0000000-0000-4000-8000-${String(from + i).padStart(12, '0')}`,
      }));
      return Response.json({ messages, variants: [], nextCursor: from > 1 ? String(from) : null });
    }
    if (action === 'cancel') return Response.json({ ...job, status: 'canceled', statusSeq: 4 });
    if (method === 'POST') return Response.json({ jobId: JOB, status: 'queued' }, { status: 202 });
    return jobId ? Response.json(job) : Response.json({ jobs, nextCursor: null });
  });
  return server;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('createImageGen', () => {
  test('opening a view reads what the server did not render', async () => {
    const { requests } = serverOf();
    const gen = createImageGen(P, client);
    const close = gen.open();
    await expect.poll(() => gen.get().jobsRead).toBe(true);
    expect(gen.get().jobs.map(({ jobId }) => jobId)).toEqual([JOB, OTHER]);
    expect(requests).toHaveLength(1);
    gen.open()();
    expect(requests).toHaveLength(1);
    close();
  });

  test('fetchMessages loads the whole conversation once, and selectJob only its end', async () => {
    const { ofMessages } = serverOf({ prompts: 150 });
    const { get, actions } = createImageGen(P, client);
    await actions.fetchMessages(JOB);
    expect(get().current).toMatchObject({ jobId: JOB, read: 'done', earlierCursor: null });
    expect(get().current?.messages).toHaveLength(150);
    expect(ofMessages()).toHaveLength(2);

    actions.selectJob(OTHER);
    await expect.poll(() => get().current).toMatchObject({ jobId: OTHER, read: 'done' });
    expect(get().current?.messages).toHaveLength(20);
    await actions.fetchEarlierMessages();
    expect(get().current?.messages).toHaveLength(40);
  });

  test('renewed URLs include those of the earlier messages that are shown', async () => {
    const { ofMessages } = serverOf({ prompts: 150 });
    const { get, actions } = createImageGen(P, client);
    await actions.fetchMessages(JOB);
    const before = ofMessages().length;
    actions.renewUrls();
    await expect.poll(ofMessages).toHaveLength(before + 2);
    expect(get().current?.messages).toHaveLength(150);
  });

  test('a resync reads all shown messages again, because broadcasts about earlier ones may have been missed', async () => {
    const { ofMessages } = serverOf({ prompts: 150 });
    const { get, resync, actions } = createImageGen(P, client);
    await actions.fetchMessages(JOB);
    const before = ofMessages().length;
    resync();
    await expect.poll(ofMessages).toHaveLength(before + 2);
    expect(get().current?.messages).toHaveLength(150);
  });

  test('earlier messages whose renewal fails are renewed by the next read of their conversation', async () => {
    const server = serverOf({ prompts: 150 });
    const gen = createImageGen(P, client);
    // Closing the view also cancels the read of the list that `cancelJob` schedules. It would reach the next test.
    const close = gen.open();
    await gen.actions.fetchMessages(JOB);
    server.isDown = true;
    gen.actions.renewUrls();
    await expect.poll(() => gen.get().error).not.toBeNull();
    server.isDown = false;
    const before = server.ofMessages().length;
    await gen.actions.cancelJob(JOB);
    expect(server.ofMessages()).toHaveLength(before + 2);
    // After a failed request for a whole conversation, selecting another conversation still loads only its last page.
    server.isDown = true;
    await gen.actions.fetchMessages(JOB);
    server.isDown = false;
    gen.actions.selectJob(OTHER);
    await expect.poll(() => gen.get().current).toMatchObject({ jobId: OTHER, read: 'done' });
    expect(gen.get().current?.messages).toHaveLength(20);
    close();
  });

  test('renewing the shown messages while all of them are being fetched leaves none out', async () => {
    serverOf({ prompts: 150 });
    const { get, actions } = createImageGen(P, client);
    actions.selectJob(JOB);
    const all = actions.fetchMessages(JOB);
    actions.renewUrls();
    await all;
    expect(get().current?.messages).toHaveLength(150);
  });

  test('a job of another project is missing', async () => {
    serverOf({ projectId: 'b0000000-0000-4000-8000-000000000002' });
    const { get, actions } = createImageGen(P, client);
    await actions.fetchMessages(JOB);
    expect(get().current).toMatchObject({ jobId: JOB, job: null, read: 'missing' });
  });

  test('a new job is sent once for a double click and becomes the current one', async () => {
    const { requests } = serverOf();
    const { get, actions } = createImageGen(P, client);
    const payload = { projectId: P, prompt: 'A lobby' };
    await Promise.all([actions.createJob(payload), actions.createJob(payload)]);
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
    await expect.poll(() => get().current).toMatchObject({ jobId: JOB, read: 'done' });
  });

  test('a canceled job shows its new status at once, and its conversation is read again if it is open', async () => {
    const { ofMessages } = serverOf();
    const gen = createImageGen(P, client);
    const close = gen.open();
    await gen.actions.fetchMessages(JOB);
    expect(gen.isUnfinished()).toBe(true);
    await gen.actions.cancelJob(OTHER);
    expect(ofMessages()).toHaveLength(1);
    await gen.actions.cancelJob(JOB);
    expect(gen.get().current?.job?.status).toBe('canceled');
    expect(ofMessages()).toHaveLength(2);
    close();
  });

  test('a broadcast about the current job is shown at once and its conversation is read; an invalid one is ignored', async () => {
    const { ofMessages } = serverOf();
    const gen = createImageGen(P, client);
    const close = gen.open();
    await gen.actions.fetchMessages(JOB);
    const event = { jobId: JOB, status: 'failed', statusSeq: 4, run: 1, progress: null };
    gen.onBroadcast({ ...event, status: 'lost' });
    expect(gen.get().current?.job?.status).toBe('running');
    gen.onBroadcast(event);
    expect(gen.get().current?.job?.status).toBe('failed');
    await expect.poll(ofMessages).toHaveLength(2);
    close();
  });
});
