import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { makeSpec } from './support/make-spec';
import { openSession } from './support/sessions';

let db: TestDatabase;
let actor: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(async () => {
  actor = await addUser();
});

async function addUser(): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${id}, ${`${id}@x.test`})`;
  return id;
}

/** Runs `work` the way PostgREST runs a call from the app. By default, `headers` name `actor` and a request id. */
function asApp<T>(work: (sql: TestDatabase['sql']) => Promise<T>, headers?: object): Promise<T> {
  const sent = JSON.stringify(headers ?? { 'x-atelier-actor': actor, 'x-atelier-request-id': 'request-1' });
  return db.sql.begin(async (sql) => {
    await sql`select set_config('role', 'service_role', true), set_config('request.headers', ${sent}, true)`;
    return work(sql as unknown as TestDatabase['sql']);
  }) as Promise<T>;
}

const events = (id = actor) =>
  asApp(
    (sql) =>
      sql`select action, actor, subject, details, request_id from public.audit_events(p_actor => ${id})`,
  );
const actions = async () => (await events()).map(({ action, details }) => [action, details]).reverse();

describe('the events of the audit log', () => {
  test('the deletion of a spec is one event with the actor, the file, the place and the request', async () => {
    const [first, second] = [await makeSpec(db.sql), await makeSpec(db.sql, { property: null })];
    await asApp((sql) => sql`select public.delete_specs(${[first]})`);
    await asApp((sql) => sql`select public.delete_specs(${[second, randomUUID()]})`);
    const event = {
      action: 'spec.deleted',
      actor: `${actor}@x.test`,
      subject: 'a.pdf',
      request_id: 'request-1',
    };
    expect(await events()).toEqual([
      { ...event, details: 'Brand · Area' },
      { ...event, details: 'Brand · Area · Hotel' },
    ]);
  });

  test('a new version, a stop, another run and a download of specs are events', async () => {
    const first = await makeSpec(db.sql);
    const [spec] = await db.sql`select brand_name, area from public.specs where id = ${first}`;
    const second = randomUUID();
    await asApp(
      (sql) => sql`select public.create_spec_upload(${actor}, ${second}, ${spec?.brand_name},
        ${spec?.area}, ${`specs/brand/${second}/b.pdf`}, 'b.pdf', 10, ${randomBytes(32).toString('hex')},
        'Hotel', p_replaces => ${first})`,
    );
    await asApp((sql) => sql`select public.stop_spec(${second})`);
    await asApp((sql) => sql`select public.stop_spec(${second})`);
    await asApp((sql) => sql`select public.retry_spec(${second}, ${actor}, true)`);
    await asApp((sql) => sql`select public.retry_spec(${second}, ${actor}, true)`);
    await asApp((sql) => sql`select public.create_spec_download(${actor}, ${[first, second]}, 1000)`);
    await asApp((sql) => sql`select public.create_spec_download(${actor}, ${[first, second]}, 19)`);
    expect(await events()).toMatchObject([
      { action: 'spec.downloaded', subject: '2 specs' },
      { action: 'spec.processed_again', subject: 'b.pdf', details: 'Brand · Area · Hotel' },
      { action: 'spec.stopped', subject: 'b.pdf', details: 'Brand · Area · Hotel' },
      { action: 'spec.version_added', subject: 'b.pdf', details: 'v2 · Brand · Area · Hotel' },
    ]);
  });

  test('a correction of sections, their restoration, and retries of specs are events', async () => {
    const id = await makeSpec(db.sql);
    await db.sql`update public.documents set text_state = 'done'`;
    const version = async () =>
      (await db.sql`select private.sections_version(${id}) as version`)[0]?.version ?? 0;
    const save = async (on: number) =>
      asApp((sql) => sql`select public.save_spec_sections(${id}, ${on}, '[{"title":"A"}]')`);
    const restore = async (on: number) =>
      asApp((sql) => sql`select public.restore_spec_sections(${id}, ${on})`);
    await save((await version()) + 1);
    await save(await version());
    await restore(await version());
    await restore(await version());
    await asApp((sql) => sql`select public.retry_spec(${id}), public.retry_specs(${actor}, ${[id]})`);
    await asApp((sql) => sql`select public.stop_spec(${id})`);
    await asApp((sql) => sql`select public.retry_spec(${id})`);
    await asApp((sql) => sql`select public.stop_spec(${id})`);
    await asApp((sql) => sql`select public.retry_specs(${actor}, ${[id, randomUUID()]})`);
    const ofSpec = { subject: 'a.pdf', details: 'Brand · Area · Hotel' };
    expect(await events()).toMatchObject([
      { action: 'spec.retried', subject: '1 spec' },
      { action: 'spec.stopped' },
      { action: 'spec.retried', ...ofSpec },
      { action: 'spec.stopped' },
      { action: 'spec.sections_restored', ...ofSpec },
      { action: 'spec.sections_edited', ...ofSpec },
    ]);
  });

  test('the deletion and the merge of a name are events, and a rejected deletion is not', async () => {
    await db.sql`insert into public.brands (name) values ('Old'), ('New'), ('Gone')`;
    await makeSpec(db.sql);
    await asApp(
      (sql) =>
        sql`select public.merge_in_list('brands', 'Old', 'New'), public.delete_in_list('brands', 'Gone')`,
    );
    await asApp((sql) => sql`select public.delete_in_list('brands', 'Brand')`);
    expect(await events()).toMatchObject([
      { action: 'brand.deleted', subject: 'Gone', details: null },
      { action: 'brand.merged', subject: 'Old', details: 'into New' },
    ]);
  });

  test('the creation and the revocation of a token are events, and the removal of an expired one is not', async () => {
    const create = () =>
      asApp(
        (sql) => sql`select public.create_access_token(${actor}, ${actor}, false, 'Script', 'viewer',
          ${randomBytes(32).toString('hex')}, 'abcd', 1) ->> 'id' as id`,
      );
    const [first, second] = [(await create())[0]?.id, (await create())[0]?.id];
    await asApp((sql) => sql`select public.revoke_access_token(${first}, ${actor})`);
    await db.sql`update private.access_tokens set expires_at = now() where id = ${second}`;
    await asApp((sql) => sql`select public.revoke_access_token(${second}, ${actor})`);
    expect(await actions()).toEqual([
      ['token.created', 'viewer'],
      ['token.created', 'viewer'],
      ['token.revoked', 'viewer'],
    ]);
  });

  test('changes of the members are events, and creating or deleting a project causes none for its members', async () => {
    const other = await addUser();
    const [row] = await asApp((sql) => sql`select public.create_project(${actor}, 'House') ->> 'id' as id`);
    const set = (role: string) =>
      asApp((sql) => sql`select public.set_project_member(${row?.id}, ${`${other}@x.test`}, ${role})`);
    await set('viewer');
    await set('viewer');
    await set('editor');
    await asApp((sql) => sql`select public.remove_project_member(${row?.id}, ${other})`);
    await set('viewer');
    await asApp((sql) => sql`delete from public.projects where id = ${row?.id}`);
    expect(await actions()).toEqual([
      ['member.added', 'House · viewer'],
      ['member.changed', 'House · editor'],
      ['member.removed', 'House · editor'],
      ['member.added', 'House · viewer'],
      ['project.deleted', null],
    ]);
  });

  test('an administrator becoming an owner of a project is an event', async () => {
    const [row] = await db.sql`select public.create_project(${await addUser()}, 'House') ->> 'id' as id`;
    await asApp((sql) => sql`select public.set_project_member(${row?.id}, ${`${actor}@x.test`}, 'owner')`);
    expect(await actions()).toEqual([['member.added', 'House · owner']]);
  });

  test('archiving, deleting, restoring and removing a project are events, as are creating and revoking its share links', async () => {
    const [row] = await db.sql`insert into public.projects (name) values ('Harbor') returning id`;
    const id = row?.id;
    const run = (call: string) => asApp((sql) => sql.unsafe(call.replace('$p', `'${id}'`)));
    await run('select public.archive_project($p, true)');
    await run('select public.archive_project($p, true)');
    await run('select public.archive_project($p, false)');
    await run(
      "select public.create_share_link(null, $p, 'gallery', 'Review', '{}', false, false, 'key-of-a-link', 7)",
    );
    const [link] = await db.sql`select id from private.share_links where project_id = ${id}`;
    await run(`select public.revoke_share_link($p, '${link?.id}')`);
    await run('select public.delete_project($p)');
    await run('select public.restore_project($p, 60)');
    await run('select public.delete_project($p)');
    await run('select public.remove_deleted_projects(-60, 10)');
    expect((await events()).map(({ action, subject }) => [action, subject]).reverse()).toEqual([
      ['project.archived', 'Harbor'],
      ['project.unarchived', 'Harbor'],
      ['share.created', 'Review'],
      ['share.revoked', 'Review'],
      ['project.deleted', 'Harbor'],
      ['project.restored', 'Harbor'],
      ['project.deleted', 'Harbor'],
      ['project.removed', 'Harbor'],
    ]);
  });

  test('deleting or restoring several images at once is one event, and starring one is not an event', async () => {
    const [row] = await asApp((sql) => sql`select public.create_project(${actor}, 'House') ->> 'id' as id`);
    const [job] =
      await db.sql`insert into public.image_jobs (project_id, prompt) values (${row?.id}, 'A lobby') returning id`;
    const [message] = await db.sql`insert into public.image_messages (job_id, ordinal, role, prompt)
      values (${job?.id}, 1, 'user', 'A lobby') returning id`;
    await db.sql`insert into public.image_runs (job_id, run, message_id) values (${job?.id}, 1, ${message?.id}) on conflict do nothing`;
    const images = await db.sql`
      insert into public.image_variants (job_id, run, variant_id, position, path, width, height, project_id, number)
      select ${job?.id}, 1, 'v' || n, n, 'images/' || n, 10, 10, ${row?.id}, n from generate_series(1, 3) n returning id`;
    const ids = images.map(({ id }) => id);
    await asApp((sql) => sql`select public.star_images(${row?.id}, ${ids}, true)`);
    await asApp((sql) => sql`select public.delete_images(${row?.id}, ${ids.slice(1)})`);
    await asApp((sql) => sql`select public.restore_images(${row?.id}, ${ids.slice(2)}, 3600)`);
    expect(await actions()).toEqual([
      ['image.deleted', '2 images'],
      ['image.restored', '1 image'],
    ]);
  });

  test('an event is written in the transaction of its change', async () => {
    const id = await makeSpec(db.sql);
    const undone = asApp(async (sql) => {
      await sql`select public.delete_specs(${[id]})`;
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await events()).toEqual([]);
  });

  test('a header without a valid account, or from a signed-in person, does not change the actor', async () => {
    // Set the role first, as PostgREST does in production, and then ask for the actor in a security definer function.
    const actorOf = (role: string, sent: object, claims: object = {}) =>
      db.sql.begin(async (sql) => {
        await sql.unsafe(
          `create function public.actor_seen() returns uuid language sql security definer as $$ select private.actor_id() $$;
          grant execute on function public.actor_seen() to anon, authenticated`,
        );
        await sql`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
          set_config('request.headers', ${JSON.stringify(sent)}, true), set_config('role', ${role}, true)`;
        const [row] = await sql`select public.actor_seen() as id`;
        await sql.unsafe('reset role; drop function public.actor_seen()');
        return row?.id;
      });
    const header = { 'x-atelier-actor': actor };
    expect(await actorOf('service_role', header)).toBe(actor);
    expect(await actorOf('service_role', { 'x-atelier-actor': "x'; drop table" })).toBeNull();
    const other = randomUUID();
    await db.sql`insert into auth.users (id, email) values (${other}, ${`${other}@x.test`})`;
    const { id } = await openSession(db.sql, other);
    const claims = { sub: other, session_id: id, role: 'authenticated' };
    expect(await actorOf('authenticated', header, claims)).toBe(other);
    const invalidToken = { ...header, 'x-atelier-token': 'invalid' };
    expect(await actorOf('authenticated', invalidToken, claims)).toBeNull();
    expect(await actorOf('anon', invalidToken)).toBeNull();
  });
});

describe('the audit log is append-only', () => {
  const change = [
    `update private.audit_events set actor = 'someone else'`,
    'delete from private.audit_events',
    'truncate private.audit_events',
  ];

  test.each(change)('neither the app nor the owner of the table can run: %s', async (statement) => {
    await db.sql`select private.write_audit('spec.deleted', null, 'a.pdf')`;
    await expect(asApp((sql) => sql.unsafe(statement))).rejects.toThrow('permission denied');
    await expect(db.sql.unsafe(statement)).rejects.toThrow('append-only');
  });

  test('the app cannot read or add rows of the table itself', async () => {
    await expect(asApp((sql) => sql`select * from private.audit_events`)).rejects.toThrow(
      'permission denied',
    );
    const add = asApp((sql) => sql`insert into private.audit_events (action) values ('spec.deleted')`);
    await expect(add).rejects.toThrow('permission denied');
  });

  test('only events older than two years are deleted', async () => {
    const kept = randomUUID();
    await db.sql`insert into private.audit_events (action, actor_id, created_at) values
      ('spec.deleted', ${kept}, now() - interval '729 days'), ('spec.deleted', ${kept}, now() - interval '732 days')`;
    const [row] = await asApp((sql) => sql`select public.forget_audit_events(100) as n`);
    expect(row?.n).toBe(1);
    expect(await events(kept)).toHaveLength(1);
  });
});

describe('the list of events', () => {
  test('a list has the events of one action and of the given days in UTC, page by page', async () => {
    const times = ['2026-03-01T00:00:00Z', '2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00Z'];
    for (const [index, time] of times.entries()) {
      await db.sql`insert into private.audit_events (action, actor_id, actor, details, created_at)
        values (${index === 1 ? 'role.granted' : 'role.removed'}, ${actor}, 'me', ${String(index)}, ${time})`;
    }
    const list = async (filters: { action?: string; from?: string; to?: string }) => {
      const { action = null, from = null, to = null } = filters;
      const rows = await asApp(
        (sql) => sql`select details from public.audit_events(${actor}, ${action}, ${from}, ${to})`,
      );
      return rows.map(({ details }) => details).join('');
    };
    expect(await list({})).toBe('210');
    expect(await list({ action: 'role.granted' })).toBe('1');
    expect(await list({ from: '2026-03-01', to: '2026-03-01' })).toBe('10');
    expect(await list({ from: '2026-03-02' })).toBe('2');
    const [page] = await asApp(
      (sql) => sql`select created_at, id from public.audit_events(${actor}, p_limit => 1)`,
    );
    const next = await asApp(
      (sql) =>
        sql`select details from public.audit_events(${actor}, p_before => ${page?.created_at}, p_before_id => ${page?.id})`,
    );
    expect(next).toEqual([{ details: '1' }, { details: '0' }]);
  });

  test('the list of actors has each actor once, with the latest name', async () => {
    for (const name of ['b@x.test', 'a@x.test']) {
      await db.sql`insert into private.audit_events (action, actor_id, actor) values ('role.granted', ${actor}, ${name})`;
    }
    const actors = await asApp((sql) => sql`select * from public.audit_actors()`);
    expect(actors.filter(({ id }) => id === actor)).toEqual([{ id: actor, label: 'a@x.test' }]);
  });
});
