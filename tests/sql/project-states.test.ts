import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { retention, SWEEP_CHECKS } from '@/lib/queue/retention';
import { poll } from '@/tests/app/support/poll';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { signedIn } from './support/sessions';

let db: TestDatabase;
let owner: string;
let editor: string;
let admin: string;
let project: string;
let job: string;
let image: string;

async function addUser(appMetadata = '{}'): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${id}, ${`${id}@atelier.test`}, ${appMetadata}::text::jsonb)`;
  return id;
}

async function startJob(): Promise<string> {
  const [row] = await db.sql`select public.create_image_job(${owner}, ${project}, 'A lobby') as answer`;
  return row?.answer.job_id;
}

/** Reports one image and then the success of the job's first run; returns whether the job has succeeded. */
async function report(id: string): Promise<boolean> {
  const outputs = db.sql.json([
    {
      variant_id: 'v1',
      path: `images/projects/${project}/jobs/${id}/1/v1`,
      thumb_path: null,
      meta: null,
      width: 1,
      height: 1,
    },
  ]);
  await db.sql`select public.add_image_outputs(${id}, 1, ${outputs})`;
  await db.sql`select public.apply_image_callback(${id}, 'succeeded', 1, ${outputs})`;
  const [row] = await db.sql`select status from public.image_jobs where id = ${id}`;
  return row?.status === 'succeeded';
}

beforeAll(async () => {
  db = await createTestDatabase();
  [owner, editor, admin] = [await addUser(), await addUser(), await addUser('{"role": "admin"}')];
});
afterAll(() => db?.drop());
beforeEach(async () => {
  const [row] = await db.sql`select public.create_project(${owner}, 'House') as answer`;
  project = row?.answer.id;
  await db.sql`insert into public.project_members (project_id, user_id, role) values (${project}, ${editor}, 'editor')`;
  await db.sql`select public.save_project_pages(${owner}, ${project}, 0, 'A4', 'portrait', '{}', '[]', 'en', '{}')`;
  job = await startJob();
  await report(job);
  const [found] = await db.sql`select id from public.image_variants where job_id = ${job}`;
  image = found?.id;
});

/** Runs `work` with a session of this user. */
const as = <T>(user: string, work: (sql: TestDatabase['sql']) => Promise<T>) =>
  signedIn(db.sql, user, work, user === admin ? 'admin' : undefined);

/** Returns how many rows of the project a user sees in tables and lists, and the user's roles in the project. */
const seen = (user: string) =>
  as(user, async (sql) => {
    const [row] = await sql`select
      (select count(*)::int from public.projects where id = ${project}) as projects,
      (select count(*)::int from public.image_jobs where project_id = ${project}) as jobs,
      (select count(*)::int from public.project_pages where project_id = ${project}) as pages,
      (select role from public.project_access(${project})) as role,
      (select role from public.project_access(p_image_job => ${job})) as role_by_job,
      (select role from public.project_access(${project}, p_deleted_within_s => ${retention.deletedProjectsS}))
        as deleted_role,
      (select count(*)::int from public.list_deleted_projects(${retention.deletedProjectsS}, 100)
        where id = ${project}) as restorable`;
    return row && { ...row };
  });

const archive = (archived: boolean) => db.sql`select public.archive_project(${project}, ${archived})`;
const remove = () => db.sql`select public.delete_project(${project})`;
const restore = async () => {
  const [row] = await db.sql`
    select public.restore_project(${project}, ${retention.deletedProjectsS}) as restored`;
  return row?.restored;
};
const sweep = async () => {
  const [row] = await db.sql`
    select public.remove_deleted_projects(${retention.deletedProjectsS}, 100) as removed`;
  return row?.removed;
};
/**
 * Backdates the deletion, so that the retention period ended `slackS` seconds ago or, if `slackS` is negative, ends in
 * the future.
 */
const age = (slackS = 60) => db.sql`update public.projects
  set deleted_at = now() - make_interval(secs => ${retention.deletedProjectsS + slackS}) where id = ${project}`;

const writes: Record<string, () => Promise<unknown>> = {
  'a new job': startJob,
  'a message': () => db.sql`select public.send_image_message(${owner}, ${job}, 'Warmer')`,
  'a star': () => db.sql`select public.star_images(${project}, array[${image}]::uuid[], true)`,
  'the deletion of an image': () => db.sql`select public.delete_images(${project}, array[${image}]::uuid[])`,
  'an upload':
    () => db.sql`insert into public.document_images (project_id, storage_path, file_name, mime_type,
    size_bytes, width, height, sha256) values (${project}, ${randomUUID()}, 'a', 'image/png', 1, 1, 1, ${'0'.repeat(64)})`,
  'a save of the document': () =>
    db.sql`select public.save_project_pages(${owner}, ${project}, 1, 'A4', 'portrait', '{}', '[]', 'en', '{}')`,
  'an export': () => db.sql`insert into public.export_jobs (project_id, snapshot, input_sha256)
    values (${project}, '{}', ${'0'.repeat(64)})`,
};

test.each(Object.entries(writes))(
  '%s is refused while the project is archived or deleted, and accepted afterwards',
  async (_, write) => {
    await archive(true);
    await expect(write()).rejects.toMatchObject({ code: 'PT409', message: 'project_archived' });
    await archive(false);
    await remove();
    await expect(write()).rejects.toMatchObject({ code: 'PT409', message: 'project_deleted' });
    await restore();
    await expect(write()).resolves.toBeDefined();
  },
);

test.each(['create_image_job', 'send_image_message', 'retry_image_job'])(
  '%s waits for the deletion of the project and is then refused',
  async (name) => {
    const failed = await startJob();
    await db.sql`select public.apply_image_callback(${failed}, 'failed', 1, null)`;
    const starts: Record<string, () => Promise<unknown>> = {
      create_image_job: startJob,
      send_image_message: () => db.sql`select public.send_image_message(${owner}, ${failed}, 'Warmer')`,
      retry_image_job: () => db.sql`select public.retry_image_job(${failed})`,
    };
    let started: Promise<unknown> | undefined;
    await db.sql.begin(async (sql) => {
      await sql`select public.delete_project(${project})`;
      started = starts[name]?.().catch((error: unknown) => error);
      await poll('the call waits for the lock', async () => {
        const waiting = await db.sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    expect(await started).toMatchObject({ code: 'PT409', message: 'project_deleted' });
    expect(await db.sql`select 1 from public.image_runs where job_id = ${failed}`).toHaveLength(1);
  },
);

test('a retry of a failed job is refused while the project is archived', async () => {
  const failed = await startJob();
  await db.sql`select public.apply_image_callback(${failed}, 'failed', 1, null)`;
  await archive(true);
  await expect(db.sql`select public.retry_image_job(${failed})`).rejects.toThrow('project_archived');
});

test('an archived project is read as before, and its owner can rename it', async () => {
  const before = await seen(editor);
  expect(before).toEqual({
    projects: 1,
    jobs: 1,
    pages: 1,
    role: 'editor',
    role_by_job: 'editor',
    deleted_role: null,
    restorable: 0,
  });
  await archive(true);
  expect(await seen(editor)).toEqual(before);
  const [row] = await db.sql`select public.rename_project(${project}, 'Villa') as renamed`;
  expect(row?.renamed).toBe(true);
});

test('a deleted project is hidden from everyone, and only its owners and admins can restore it', async () => {
  await remove();
  const hidden = { projects: 0, role: null, role_by_job: null };
  expect(await seen(owner)).toMatchObject({
    ...hidden,
    jobs: 0,
    pages: 0,
    deleted_role: 'owner',
    restorable: 1,
  });
  expect(await seen(editor)).toMatchObject({
    ...hidden,
    jobs: 0,
    pages: 0,
    deleted_role: 'editor',
    restorable: 0,
  });
  expect(await seen(admin)).toMatchObject({ ...hidden, deleted_role: 'owner', restorable: 1 });
  expect(await seen(await addUser())).toMatchObject({ ...hidden, deleted_role: null, restorable: 0 });
  expect(await restore()).toBe(true);
  expect(await seen(editor)).toMatchObject({ projects: 1, jobs: 1, role: 'editor', deleted_role: null });
});

test.each([
  ['archived', () => archive(true)],
  ['deleted', remove],
])('the callback of a job that was running when its project was %s is accepted', async (_, close) => {
  const running = await startJob();
  await close();
  expect(await report(running)).toBe(true);
});

test('an account can be deleted even if its project is archived', async () => {
  await archive(true);
  const leaver = await addUser();
  await db.sql`update public.project_pages set updated_by = ${leaver} where project_id = ${project}`;
  await db.sql`delete from auth.users where id = ${leaver}`;
  const [row] = await db.sql`select updated_by from public.project_pages where project_id = ${project}`;
  expect(row?.updated_by).toBeNull();
});

test('a deleted project can be restored until the sweep removes it with its files, and others are kept', async () => {
  const [other] = await db.sql`select public.create_project(${owner}, 'Other') as answer`;
  const file = `projects/${project}/jobs/${job}/1/v1`;
  await db.sql`insert into storage.objects (bucket_id, name, created_at, updated_at)
    values ('images', ${file}, now() - interval '31 days', now() - interval '31 days')`;
  const orphans = async (): Promise<string[]> => {
    const [row] = await db.sql`
      select public.sweep_orphans(${retention.orphansS}, ${retention.outputsS}, ${SWEEP_CHECKS}, 1000) as answer`;
    return row?.answer.paths;
  };
  await remove();
  await age(-60);
  expect(await sweep()).toBe(0);
  expect(await orphans()).toEqual([]);
  await age();
  expect(await restore()).toBe(false);
  expect(await sweep()).toBe(1);
  const left = await db.sql`select id from public.projects where id in (${project}, ${other?.answer.id})`;
  expect(left.map(({ id }) => id)).toEqual([other?.answer.id]);
  expect(await db.sql`select id from public.image_jobs where id = ${job}`).toHaveLength(0);
  expect(await orphans()).toEqual([`images/${file}`]);
});

test('the cards of projects have their newest images that are not deleted, their members and their last activity', async () => {
  for (let i = 0; i < 5; i += 1) await report(await startJob());
  const newest = await db.sql`
    select id from public.image_variants where project_id = ${project} order by created_at desc, id desc`;
  await db.sql`select public.delete_images(${project}, array[${newest[0]?.id}]::uuid[])`;
  await db.sql`update public.project_pages set updated_at = '2999-01-01' where project_id = ${project}`;
  const cards = await db.sql`select * from public.project_cards(array[${project}]::uuid[], 4, 1)`;
  expect(cards).toMatchObject([
    {
      project_id: project,
      active_at: new Date('2999-01-01T00:00:00Z'),
      people: [{ user_id: owner, email: `${owner}@atelier.test` }],
      people_count: 2,
    },
  ]);
  expect(cards[0]?.images.map(({ id }: { id: string }) => id)).toEqual(
    newest.slice(1, 5).map(({ id }) => id),
  );
});
