import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import postgres from 'postgres';
import { afterEach, describe, expect, test } from 'vitest';
import { programPath } from '@/lib/launcher/programs';
import { isRunning } from '@/lib/process/live-process';
import { type Backend, type BackendOptions, startBackend } from '@/supabase/local/backend/start';
import { eventually } from '@/tests/app/support/poll';
import {
  FIXTURES,
  ok,
  PASSWORD,
  PUBLISHABLE_KEY,
  refused,
  SECRET_KEY,
} from '@/tests/backend/support/start-test-backend';
import { freePorts } from '@/tests/setup/free-ports';

const root = join(import.meta.dirname, '..', '..');
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanup.splice(0).reverse()) await step();
});

async function temporaryDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'lifecycle-'));
  cleanup.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function start(dataDir: string, more: Partial<BackendOptions> = {}): Promise<Backend> {
  const backend = await startBackend({
    dataDir,
    port: 0,
    postgresPort: 0,
    publishableKey: PUBLISHABLE_KEY,
    secretKey: SECRET_KEY,
    migrationsDir: join(FIXTURES, 'migrations'),
    seedFile: join(FIXTURES, 'seed.sql'),
    durable: false,
    ...more,
  });
  cleanup.push(() => backend.stop());
  return backend;
}

const signIn = async (backend: Pick<Backend, 'url'>) => {
  const client = createClient(backend.url, PUBLISHABLE_KEY, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  ok(await client.auth.signInWithPassword({ email: 'bob@example.com', password: PASSWORD }));
  return client;
};

const postgresPid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
const hasEnded = (pid: number) => !isRunning(pid);

describe('a second start of the backend', () => {
  test('a second start keeps rows, objects, sessions and signed URLs, applies new migrations, and does not seed again', async () => {
    const dataDir = await temporaryDir();
    const migrationsDir = await temporaryDir();
    await cp(join(FIXTURES, 'migrations'), migrationsDir, { recursive: true });
    const first = await start(dataDir, { migrationsDir });
    const client = await signIn(first);
    const session = ok(await client.auth.getSession()).session;
    ok(await client.from('documents').insert({ title: 'kept' }));
    const key = `${session?.user.id}/kept.pdf`;
    ok(await client.storage.from('docs').upload(key, 'kept', { contentType: 'application/pdf' }));
    const signed = new URL(ok(await client.storage.from('docs').createSignedUrl(key, 600)).signedUrl);
    await client.from('profiles').update({ display_name: 'Changed' }).eq('id', session?.user.id);
    await writeFile(join(dataDir, 'storage', 'incoming', 'half'), 'of an upload');
    await first.stop();

    await writeFile(join(migrationsDir, '20260101000009_more.sql'), 'create table public.more (id int);');
    const second = await start(dataDir, { migrationsDir });
    const again = createClient(second.url, PUBLISHABLE_KEY, {
      accessToken: async () => session?.access_token ?? null,
    });
    expect(ok(await again.from('documents').select('title'))).toEqual([{ title: 'kept' }]);
    expect(ok(await again.from('profiles').select('display_name'))).toEqual([{ display_name: 'Changed' }]);
    expect(await (await fetch(second.url + signed.pathname + signed.search)).text()).toBe('kept');
    expect(ok(await createClient(second.url, SECRET_KEY).from('more').select())).toEqual([]);
  });

  test('a failing migration is rolled back and stops the start with a message', {
    tags: ['extended'],
  }, async () => {
    const dataDir = await temporaryDir();
    const migrationsDir = await temporaryDir();
    const file = join(migrationsDir, '20260101000001_bad.sql');
    await writeFile(file, 'create table public.half (id int); select nonsense;');
    await expect(start(dataDir, { migrationsDir })).rejects.toThrow(/_bad\.sql failed: column "nonsense"/);
    await writeFile(file, 'create table public.half (id int);');
    const backend = await start(dataDir, { migrationsDir });
    expect(ok(await createClient(backend.url, SECRET_KEY).from('half').select())).toEqual([]);
  });
});

describe('the backend without its secrets', () => {
  type Damage = (file: string) => Promise<unknown>;
  const damages: [string, Damage][] = [
    ['deleted', (file) => rm(file)],
    ['emptied', (file) => writeFile(file, '')],
  ];
  const otherDamages: [string, Damage][] = [
    ['replaced by random bytes', (file) => writeFile(file, randomBytes(700))],
    ['given another form', (file) => writeFile(file, '{"signingKey": {"kty": "EC"}, "innerSecret": "x"}')],
    [
      'left with an unusable key',
      async (file) => {
        const { signingKey, ...others } = JSON.parse(await readFile(file, 'utf8'));
        await writeFile(file, JSON.stringify({ ...others, signingKey: { ...signingKey, x: 'AAAA' } }));
      },
    ],
  ];

  async function startsAgain(_: string, damage: Damage): Promise<void> {
    const dataDir = await temporaryDir();
    const file = join(dataDir, 'backend-secrets.json');
    const first = await start(dataDir);
    const client = await signIn(first);
    const { session } = ok(await client.auth.getSession());
    const key = `${session?.user.id}/kept.pdf`;
    ok(await client.from('documents').insert({ title: 'kept' }));
    ok(await client.storage.from('docs').upload(key, 'kept', { contentType: 'application/pdf' }));
    const signed = new URL(ok(await client.storage.from('docs').createSignedUrl(key, 600)).signedUrl);
    await first.stop();
    const before = await readFile(file, 'utf8');
    await damage(file);
    const damaged = await readFile(file).catch(() => null);

    const lines: string[] = [];
    const second = await start(dataDir, { log: (line) => lines.push(line) });
    expect(lines.filter((line) => line.includes('everyone has to sign in again'))).toHaveLength(1);
    const again = await signIn(second);
    expect(ok(await again.from('documents').select('title'))).toEqual([{ title: 'kept' }]);
    expect(await ok(await again.storage.from('docs').download(key)).text()).toBe('kept');
    // What was signed with the lost secrets is not accepted.
    const old = createClient(second.url, PUBLISHABLE_KEY, {
      accessToken: async () => session?.access_token ?? null,
    });
    expect(refused(await old.from('documents').select('title'))).toBeTruthy();
    expect((await fetch(second.url + signed.pathname + signed.search)).status).toBe(400);
    const aside = (await readdir(dataDir)).filter((name) => name.includes('.damaged-'));
    expect(await Promise.all(aside.map((name) => readFile(join(dataDir, name))))).toEqual(
      damaged ? [damaged] : [],
    );
    await second.stop();

    const saved = await readFile(file, 'utf8');
    expect(saved).not.toBe(before);
    await chmod(file, 0o666);
    await signIn(await start(dataDir));
    expect(await readFile(file, 'utf8')).toBe(saved);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }

  const title = 'after its file of secrets was %s, the backend starts with the same accounts, rows and files';
  test.each(damages)(title, startsAgain);
  test.each(otherDamages)(title, { tags: ['extended'] }, startsAgain);
});

describe('refused starts', () => {
  test('a start on a taken port is refused with the port', { tags: ['extended'] }, async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await expect(start(await temporaryDir(), { port })).rejects.toThrow(`Port ${port}`);
    await expect(start(await temporaryDir(), { postgresPort: port })).rejects.toThrow(`Port ${port}`);
  });

  test('a start in a folder that cannot be created is refused', { tags: ['extended'] }, async () => {
    const file = join(await temporaryDir(), 'file');
    await writeFile(file, '');
    await expect(start(join(file, 'data'))).rejects.toThrow(/^The data folder .* is not writable/);
  });

  test('a start in a folder in use is refused, and the folder is not changed', {
    tags: ['extended'],
  }, async () => {
    const dataDir = await temporaryDir();
    const backend = await start(dataDir);
    await expect(start(dataDir)).rejects.toThrow(/^Another backend is using the data folder/);
    await signIn(backend);
  });
});

describe.skipIf(process.getuid?.() !== 0)('the backend as root', () => {
  test('a data folder below a home of mode 0700 works, including on the next start', {
    tags: ['extended'],
  }, async () => {
    const home = await temporaryDir();
    await chmod(home, 0o700);
    const dataDir = join(home, 'data');
    const backend = await start(dataDir);
    await signIn(backend);
    const shelter = await readlink(join(dataDir, 'postgres'));
    cleanup.unshift(() => rm(join(shelter, '..'), { recursive: true, force: true }));
    expect(await readFile(join(shelter, 'PG_VERSION'), 'utf8')).toBe('17\n');
    await backend.stop();
    await signIn(await start(dataDir));
  });
});

describe('the backend process', () => {
  type Ready = { type: string; url?: string; databaseUrl?: string; message?: string };

  async function launch(dataDir: string, port: number): Promise<{ child: ChildProcess; message: Ready }> {
    const child = spawn(process.execPath, [programPath('backend')], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        ATELIER_DATA_DIR: dataDir,
        SUPABASE_LOCAL_PORT: String(port),
        NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
        SUPABASE_SECRET_KEY: SECRET_KEY,
      },
    });
    cleanup.push(() => child.kill('SIGKILL'));
    const message = await new Promise<Ready>((resolve, reject) => {
      child.once('message', (value) => resolve(value as Ready));
      child.once('exit', (code) => reject(new Error(`exit ${code}`)));
    });
    return { child, message };
  }
  const exitOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve));

  test('the backend reports when it is ready, survives kill -9 of itself and of Postgres, and ends on SIGTERM or when its parent exits', {
    tags: ['extended'],
  }, async () => {
    const dataDir = await temporaryDir();
    const port = (await freePorts()).localPort;
    const first = await launch(dataDir, port);
    expect(first.message).toMatchObject({ type: 'ready', url: `http://127.0.0.1:${port}` });
    const sql = postgres(first.message.databaseUrl ?? '', { max: 1 });
    await sql`create table public.kept (n int)`;
    await sql`insert into public.kept values (7)`;
    await sql.end();
    const orphan = await postgresPid(dataDir);
    first.child.kill('SIGKILL');
    await exitOf(first.child);
    expect(hasEnded(orphan)).toBe(false);

    const second = await launch(dataDir, port);
    expect(second.message.type).toBe('ready');
    expect(hasEnded(orphan)).toBe(true);
    const sql2 = postgres(second.message.databaseUrl ?? '', { max: 1 });
    expect([...(await sql2`select n from public.kept`)]).toEqual([{ n: 7 }]);
    await sql2.end();
    const running = await postgresPid(dataDir);
    second.child.kill('SIGTERM');
    expect(await exitOf(second.child)).toBe(0);
    expect(hasEnded(running)).toBe(true);

    const struck = await launch(dataDir, port);
    const message = new Promise((resolve) => struck.child.once('message', resolve));
    process.kill(await postgresPid(dataDir), 'SIGKILL');
    expect(await message).toMatchObject({ type: 'error', message: expect.stringMatching(/\.$/) });
    expect(await exitOf(struck.child)).toBe(1);

    const third = await launch(dataDir, port);
    const last = await postgresPid(dataDir);
    third.child.disconnect();
    expect(await exitOf(third.child)).toBe(0);
    await eventually(() => expect(hasEnded(last)).toBe(true));
  });

  test('connections that are lost under load are replaced, and requests that meet a lost one get a 503', {
    tags: ['extended'],
  }, async () => {
    const { child, message } = await launch(await temporaryDir(), (await freePorts()).localPort);
    expect(message.type, message.message).toBe('ready');
    const ask = async (path: string) => {
      const headers = { apikey: SECRET_KEY };
      return (await fetch(`${message.url}${path}`, { headers })).status;
    };
    const paths = ['/rest/v1/projects?select=id', '/auth/v1/admin/users', '/storage/v1/bucket'];
    const askAll = () => Promise.all(Array.from({ length: 18 }, (_, n) => ask(paths[n % 3] ?? '')));
    const sql = postgres(message.databaseUrl ?? '', { max: 1 });
    const seen = new Set(await askAll());
    // Each round loses the connections at another moment of the requests.
    for (let round = 0; round < 12; round += 1) {
      const requests = askAll();
      await pause(round);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'postgres' and pid <> pg_backend_pid()`.catch(() => {});
      for (const status of await requests) seen.add(status);
    }
    // The backend may use a lost connection before it notices the loss, so the first requests can still get a 503.
    await eventually(async () => expect(new Set(await askAll())).toEqual(new Set([200])));
    await sql.end();
    expect([...seen].filter((status) => status !== 503)).toEqual([200]);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  test('a failed start is reported as one sentence and exit code 1', { tags: ['extended'] }, async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanup.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { child, message } = await launch(await temporaryDir(), port);
    expect(message).toMatchObject({ type: 'error', message: expect.stringMatching(/^Port \d+ [^\n]*\.$/) });
    expect(await exitOf(child)).toBe(1);
  });
});
