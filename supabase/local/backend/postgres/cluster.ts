import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@/lib/errors/start-error';
import type { OsUser } from '@/lib/process/os-user';
import { freePort } from '@/supabase/local/backend/free-port';
import { findBinaries } from '@/supabase/local/backend/postgres/binaries';
import { clusterFolder } from '@/supabase/local/backend/postgres/cluster-folder';
import { stopOrphan } from '@/supabase/local/backend/postgres/orphan';
import { run, startServer } from '@/supabase/local/backend/postgres/server';
import { serverUser } from '@/supabase/local/backend/postgres/server-user';

export type ClusterOptions = {
  dataDir: string;
  port: number;
  password: string;
  /** Whether an existing cluster still has another password, which is then replaced. */
  isNewPassword?: boolean;
  /**
   * Name of the cluster's superuser; default `postgres`. Tests use `supabase_admin`, which is the superuser on hosted
   * Supabase.
   */
  superuser?: string;
  durable: boolean;
  /** Called when the server exits unexpectedly. */
  onLost?: () => void;
  log: (line: string) => void;
};

export type Cluster = {
  /** Whether this start created the cluster. */
  isNew: boolean;
  port: number;
  url: string;
  stop(): Promise<void>;
};

/** Waits for a Postgres program to end. Returns what it wrote to stderr, or another reason, unless it succeeded. */
async function failureOf(program: ChildProcess): Promise<string | undefined> {
  const output: string[] = [];
  program.stderr?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  program.stdout?.resume();
  const code = await new Promise((resolve) => {
    program.on('error', (error) => resolve(error.message));
    program.on('close', resolve);
  });
  return code === 0 ? undefined : output.join('').trim() || String(code);
}

async function initialize(bin: string, folder: string, user: OsUser | undefined, options: ClusterOptions) {
  const fresh = `${folder}.new`;
  const passwordFile = `${folder}.password`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  if (user) for (const path of [fresh, passwordFile]) await chown(path, user.uid, user.gid);
  const initdb = run(
    join(bin, 'initdb'),
    [
      `--pgdata=${fresh}`,
      `--username=${options.superuser ?? 'postgres'}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ],
    user,
  );
  const failure = await failureOf(initdb);
  await rm(passwordFile, { force: true });
  if (failure) {
    await rm(fresh, { recursive: true, force: true });
    throw new StartError(`Postgres could not create its data folder: ${failure}.`);
  }
  // An interrupted initdb leaves a folder that looks like a cluster, so the folder gets its real name only now.
  await rename(fresh, folder);
}

/**
 * Sets the superuser's password without knowing the old one. The server runs without a connection, on standard input,
 * so at no time can anyone connect without a password.
 */
async function setPassword(bin: string, folder: string, user: OsUser | undefined, options: ClusterOptions) {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  const server = run(join(bin, 'postgres'), ['--single', '-D', folder, ...settings, 'postgres'], user);
  // If the server exits early, the write fails. `failureOf` then returns the reason.
  server.stdin?.on('error', () => {});
  server.stdin?.end(`alter role "${options.superuser ?? 'postgres'}" password '${options.password}'\n`);
  const failure = await failureOf(server);
  if (failure) throw new StartError(`The password of the database could not be set: ${failure}.`);
}

/**
 * Starts the Postgres server of a data folder. Creates the cluster on the first start, and stops a server left running
 * by an earlier run that was killed. `port` 0 means any free port. Throws StartError.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const user = serverUser();
  const bin = await findBinaries(user);
  const folder = await clusterFolder(options.dataDir, user, options.log);
  const isNew = !(await stat(join(folder, 'PG_VERSION')).catch(() => null));
  if (isNew) await initialize(bin, folder, user, options);
  await stopOrphan(folder, options.log);
  if (options.isNewPassword && !isNew) await setPassword(bin, folder, user, options);
  const port = await freePort(options.port);
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=150',
    'log_min_messages=log',
    'log_min_error_statement=panic',
    // Even without fsync, commits reach the kernel, so a killed server loses no data.
    ...(options.durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ];
  const stop = await startServer({
    program: join(bin, 'postgres'),
    args: ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    user,
    log: options.log,
    onLost: options.onLost ?? (() => {}),
  });
  const login = `${options.superuser ?? 'postgres'}:${encodeURIComponent(options.password)}`;
  return {
    isNew,
    port,
    url: `postgres://${login}@127.0.0.1:${port}/postgres`,
    stop,
  };
}
