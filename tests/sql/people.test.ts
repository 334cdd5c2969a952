import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(() => db.sql`delete from auth.users`);

type NewUser = { admin?: boolean; confirmed?: boolean; email?: string };

async function addUser({ admin = false, confirmed = true, email }: NewUser = {}): Promise<string> {
  const id = randomUUID();
  const metadata = admin ? '{"role": "admin"}' : '{"provider": "email"}';
  await db.sql`insert into auth.users (id, email, raw_app_meta_data, email_confirmed_at)
    values (${id}, ${email ?? `${id}@x.test`}, ${metadata}::text::jsonb, ${confirmed ? new Date() : null})`;
  return id;
}

const newKey = () => randomBytes(32).toString('hex');
type Change = { admin?: boolean; disabled?: boolean };

async function change(actor: string, account: string, { admin, disabled }: Change): Promise<string> {
  const [row] = await db.sql`
    select public.change_account(${actor}, ${account}, ${admin ?? null}, ${disabled ?? null}) ->> 'outcome' as outcome`;
  return row?.outcome;
}
const admins = async () =>
  (await db.sql`select 1 from auth.users u where private.is_working_admin(u)`).length;
const addSession = async (account: string) =>
  (await db.sql`insert into auth.sessions (id, user_id) values (${randomUUID()}, ${account}) returning id`)[0]
    ?.id;
const sessions = async (account: string) =>
  (await db.sql`select id from auth.sessions where user_id = ${account}`).map(({ id }) => id);
/** Sets a password as the sign-in service does. */
const setPassword = (account: string) =>
  db.sql`update auth.users set encrypted_password = ${randomUUID()} where id = ${account}`;
const actionsOn = async (account: string) =>
  (
    await db.sql`select action from private.audit_events where subject_id = ${account} order by created_at`
  ).map(({ action }) => action);

describe('the last administrator', () => {
  const removals: [string, Change][] = [
    ['demoted', { admin: false }],
    ['disabled', { disabled: true }],
  ];

  test.each(removals)('the last administrator who can sign in cannot be %s', async (_, removal) => {
    const last = await addUser({ admin: true });
    const disabled = await addUser({ admin: true });
    await change(last, disabled, { disabled: true });
    await addUser({ admin: true, confirmed: false });
    await addUser({ admin: true, email: `service-${randomUUID()}@service.invalid` });
    expect(await change(disabled, last, removal)).toBe('last_admin');
    expect(await admins()).toBe(1);
  });

  test.each(removals)(
    'of two administrators who are removed at once, the second cannot be %s',
    async (_, removal) => {
      const [first, second] = [await addUser({ admin: true }), await addUser({ admin: true })];
      let isDone = false;
      const waits = async () =>
        (
          await db.sql`select 1 from pg_locks where not granted
        and database = (select oid from pg_database where datname = current_database())`
        ).length > 0;
      const late = await db.sql.begin(async (sql) => {
        await sql`select public.change_account(${second}, ${first}, false)`;
        const other = change(first, second, removal).finally(() => {
          isDone = true;
        });
        await expect.poll(async () => isDone || (await waits())).toBe(true);
        return { other };
      });
      expect(await late.other).toBe('last_admin');
      expect(await admins()).toBe(1);
    },
  );

  test('an administrator can give up the role while there is another administrator, and cannot disable their own account', async () => {
    const [first, second] = [await addUser({ admin: true }), await addUser({ admin: true })];
    expect(await change(first, first, { disabled: true })).toBe('own_account');
    expect(await change(first, first, { admin: false })).toBe('changed');
    expect(await change(second, second, { admin: false })).toBe('last_admin');
  });
});

describe('a change of an account', () => {
  test('disabling an account ends its sessions and links at once, and enabling it restores none of them', async () => {
    const [admin, account] = [await addUser({ admin: true }), await addUser()];
    const session = await addSession(account);
    const key = newKey();
    await db.sql`select public.create_account_link(${account}, ${key})`;
    const state = async () =>
      (await db.sql`select is_active from public.account_state(${account}, ${session})`)[0];
    expect(await state()).toEqual({ is_active: true });
    expect(await change(admin, account, { disabled: true })).toBe('changed');
    expect(await sessions(account)).toEqual([]);
    expect(await state()).toEqual({ is_active: false });
    expect(await change(admin, account, { disabled: false })).toBe('changed');
    expect(await state()).toEqual({ is_active: false });
    expect((await db.sql`select public.account_link(${key}) as link`)[0]?.link).toBeNull();
    const fresh = await addSession(account);
    expect((await db.sql`select is_active from public.account_state(${account}, ${fresh})`)[0]).toEqual({
      is_active: true,
    });
  });

  test('each change is one event, and a change without an effect is not an event', async () => {
    const [admin, account] = [await addUser({ admin: true }), await addUser()];
    for (const step of [
      { admin: true },
      { admin: true },
      { admin: false, disabled: true },
      { disabled: false },
    ]) {
      expect(await change(admin, account, step)).toBe('changed');
    }
    expect(await actionsOn(account)).toEqual([
      'role.granted',
      'role.removed',
      'account.disabled',
      'account.enabled',
    ]);
    expect(
      (await db.sql`select raw_app_meta_data as data from auth.users where id = ${account}`)[0]?.data,
    ).toEqual({
      provider: 'email',
    });
  });

  test('neither an unknown account nor that of a service can be changed', async () => {
    const service = await addUser({ email: `service-${randomUUID()}@service.invalid` });
    for (const account of [service, randomUUID()]) {
      expect(await change(randomUUID(), account, { admin: true })).toBe('not_found');
    }
  });
});

describe('a link to choose a password', () => {
  const link = async (account: string, key: string) =>
    (await db.sql`select public.create_account_link(${account}, ${key}) as answer`)[0]?.answer;
  const claim = async (key: string) =>
    (await db.sql`select public.claim_account_link(${key}) as account`)[0]?.account;
  const finish = (key: string) => db.sql`select public.finish_account_link(${key})`;

  test('a link works once, signs out all sessions and invalidates the other links of the account', async () => {
    const account = await addUser();
    await addSession(account);
    const [key, other] = [newKey(), newKey()];
    expect(await link(account, key)).toMatchObject({ outcome: 'linked', purpose: 'reset' });
    await link(account, other);
    expect(await claim(key)).toBe(account);
    await setPassword(account);
    await finish(key);
    expect(await sessions(account)).toEqual([]);
    expect([await claim(key), await claim(other)]).toEqual([null, null]);
    expect(await actionsOn(account)).toEqual([
      'account.link_created',
      'account.link_created',
      'password.reset',
    ]);
  });

  test('only one of several concurrent requests can use a link, which can be used again after a failure', async () => {
    const [account, key] = [await addUser(), newKey()];
    await link(account, key);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(key)));
    expect(claims.filter((claimed) => claimed === account)).toHaveLength(1);
    await db.sql`select public.release_account_link(${key})`;
    expect(await claim(key)).toBe(account);
    await db.sql`update private.account_links set claimed_until = now() - interval '1 second'`;
    expect(await claim(key)).toBe(account);
  });

  test('an expired link, an unknown one, one of a disabled account and the stored hash cannot be used', async () => {
    const [admin, account] = [await addUser({ admin: true }), await addUser({ confirmed: false })];
    const [key, expired] = [newKey(), newKey()];
    expect(await link(account, key)).toMatchObject({ purpose: 'invitation' });
    await link(account, expired);
    const hash = (key: string) => db.sql`select private.key_sha256(${key}) as hash`;
    await db.sql`update private.account_links set expires_at = now() where key_sha256 = ${(await hash(expired))[0]?.hash}`;
    for (const wrong of [expired, newKey(), '', (await hash(key))[0]?.hash])
      expect(await claim(wrong)).toBeNull();
    expect((await db.sql`select public.account_link(${key}) as link`)[0]?.link).toMatchObject({
      purpose: 'invitation',
    });
    await db.sql`update auth.users set banned_until = now() + interval '1 hour' where id = ${account}`;
    expect(await claim(key)).toBeNull();
    expect(await link(account, newKey())).toEqual({ outcome: 'disabled' });
    expect(await change(admin, account, { disabled: false })).toBe('changed');
    expect(await claim(key)).toBe(account);
  });

  test('a password reset for an address without an account is completed like any other, but creates no link', async () => {
    const account = await addUser({ email: 'Known@x.test' });
    await db.sql`select public.request_password_reset('known@x.test'), public.request_password_reset('unknown@x.test')`;
    const items = await db.sql`select * from public.work_claim(array['account_mail'], 'test', 10, 30)`;
    expect(items).toHaveLength(2);
    const sent = [];
    for (const item of items) {
      const [row] = await db.sql`select public.account_mail_to_send(${item.subject_id}, ${newKey()}) as mail`;
      if (row?.mail) sent.push(row.mail.email);
      const [done] = await db.sql`select public.account_mail_done(${item.id}, ${item.lease_token}) as done`;
      expect(done?.done).toBe(true);
    }
    expect(sent).toEqual(['Known@x.test']);
    const links = await db.sql`select user_id, purpose from private.account_links`;
    expect(links).toEqual([{ user_id: account, purpose: 'reset' }]);
  });

  test('a message that cannot be sent fails with a reason, which the list of people shows', async () => {
    const account = await addUser({ confirmed: false });
    await db.sql`select public.create_account_link(${account})`;
    const [item] = await db.sql`select * from public.work_claim(array['account_mail'], 'test', 10, 30)`;
    const listed = async () =>
      (
        await db.sql`select state, mail_state, mail_reason from public.list_people(p_account => ${account})`
      )[0];
    expect(await listed()).toEqual({ state: 'invited', mail_state: 'pending', mail_reason: null });
    await db.sql`select public.work_failed(${item?.id}, ${item?.lease_token}, 'refused', 'No such mailbox.', false)`;
    expect(await listed()).toEqual({
      state: 'invited',
      mail_state: 'failed',
      mail_reason: 'No such mailbox.',
    });
  });
});

describe('people', () => {
  test('each new password is one event with the account as the actor, and invalidates the links of the account', async () => {
    const [account, key] = [await addUser(), newKey()];
    await db.sql`select public.create_account_link(${account}, ${key})`;
    await setPassword(account);
    await db.sql`update auth.users set encrypted_password = encrypted_password, updated_at = now() where id = ${account}`;
    expect((await db.sql`select public.account_link(${key}) as link`)[0]?.link).toBeNull();
    const events = await db.sql`select action, actor_id from private.audit_events
      where subject_id = ${account} and action <> 'account.link_created'`;
    expect(events).toEqual([{ action: 'password.changed', actor_id: account }]);
  });

  test('the list finds people by parts of the name and the address, and contains no services', async () => {
    const account = await addUser({ email: 'ines@x.test' });
    await addUser({ email: `service-${randomUUID()}@service.invalid` });
    await addUser({ email: 'other_person@x.test', admin: true });
    await db.sql`select public.set_profile_name(${account}, 'Inès Durand')`;
    const find = async (text: string | null) =>
      (await db.sql`select email from public.list_people(${text})`).map(({ email }) => email).sort();
    expect(await find(null)).toEqual(['ines@x.test', 'other_person@x.test']);
    expect(await find('DURAND')).toEqual(['ines@x.test']);
    expect(await find('es@')).toEqual(['ines@x.test']);
    // The wildcards of LIKE are ordinary characters in a search.
    expect(await find('r_p')).toEqual(['other_person@x.test']);
    expect(await find('%')).toEqual([]);
  });

  test('the version of a picture changes with the picture', async () => {
    const account = await addUser();
    const set = async (picture: string | null) =>
      (await db.sql`select public.set_profile_picture(${account}, ${picture}) as version`)[0]?.version;
    const first = await set(Buffer.from('one').toString('base64'));
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect(await set(Buffer.from('two').toString('base64'))).not.toBe(first);
    expect(await set(null)).toBeNull();
    expect((await db.sql`select public.profile_picture(${account}) as picture`)[0]?.picture).toBeNull();
  });
});
