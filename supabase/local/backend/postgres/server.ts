import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { messageOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';
import type { OsUser } from '@/lib/process/os-user';

// The database server must not get the keys and tokens in this process's environment.
const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  LANG: 'C',
  TZ: 'UTC',
} as unknown as NodeJS.ProcessEnv;

/** Starts a Postgres program as `user`, in its own process group. */
export function run(program: string, args: string[], user: OsUser | undefined): ChildProcess {
  // Detach the process, so that Ctrl-C does not stop the database before the requests have finished.
  const options: SpawnOptions = { cwd: '/', env: ENVIRONMENT, detached: true, stdio: 'pipe' };
  return spawn(program, args, user ? { ...options, uid: user.uid, gid: user.gid } : options);
}

function waitUntilReady(server: ChildProcess, log: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let recent = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      recent = (recent + text).slice(-2_000);
      for (const line of text.trimEnd().split('\n')) if (!/ LOG: /.test(line)) log(`postgres: ${line}`);
      if (text.includes('ready to accept connections')) resolve();
    });
    server.once('error', (error) => reject(new StartError(`Postgres cannot run here: ${error.message}.`)));
    server.once('exit', (code) => {
      const reason = /(?:FATAL|PANIC|error while loading)[^\n]*/.exec(recent)?.[0] ?? recent.trim();
      reject(new StartError(`Postgres did not start (exit ${code}): ${reason || 'no message'}.`));
    });
  });
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  const impatient = setTimeout(() => server.kill('SIGQUIT'), 10_000);
  await ended;
  clearTimeout(impatient);
}

export type ServerPlan = {
  program: string;
  args: string[];
  user: OsUser | undefined;
  log: (line: string) => void;
  /** Called when the server exits unexpectedly. */
  onLost: () => void;
};

/** Starts the server and waits until it accepts connections. Returns a function that stops it. Throws StartError. */
export async function startServer(plan: ServerPlan): Promise<() => Promise<void>> {
  const { program, args, user, log, onLost } = plan;
  const server = run(program, args, user);
  let isStopping = false;
  try {
    await waitUntilReady(server, log);
  } catch (error) {
    await stopServer(server).catch((reason: unknown) => log(messageOf(reason)));
    throw error;
  }
  server.once('exit', () => {
    if (!isStopping) onLost();
  });
  return () => {
    isStopping = true;
    return stopServer(server);
  };
}
