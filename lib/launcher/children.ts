import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError } from '../errors/start-error.ts';
import { sendSignal } from '../process/live-process.ts';

const graceMs = 10_000;
const keptLines = 60;

export type ReadyMessage = { type: 'ready'; url: string; databaseUrl?: string };

export type Child = {
  name: string;
  /** Whether the process depends on the other processes and must be stopped before them. */
  stopFirst: boolean;
  process: ChildProcess;
  /** Resolves when the process has exited and its output has ended, or if it could not start. Never rejects. */
  exited: Promise<void>;
  /** Returns the last lines of the process's output, for error messages. */
  tail(): string;
  /**
   * Sends SIGTERM to the process and, once it has exited, to the rest of its process group. Sends SIGKILL to the whole
   * group if the process has not exited after 10 seconds, or if the rest has not exited after another 10 seconds.
   */
  stop(): Promise<void>;
};

export type SpawnOptions = {
  name: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  mode?: 'production' | 'development';
  stopFirst?: boolean;
  onLine?: (line: string) => void;
  /** Called when the process exits without having been stopped. */
  onDeath?: (how: string) => void;
};

/** Describes how a process exited, such as `exit code 1` or `SIGKILL`. */
function ending(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

async function groupHasExited(pid: number, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; sendSignal(-pid, 0); ) {
    if (Date.now() > until) return false;
    await new Promise((done) => setTimeout(done, 25));
  }
  return true;
}

/**
 * Starts a Node process with an IPC channel, which closes when the launcher exits. Each child leads its own process
 * group, so Ctrl-C does not reach it, and the launcher can stop its children in the right order.
 */
export function spawnNode(options: SpawnOptions): Child {
  const { name, args, cwd, env, mode = 'production', stopFirst = false, onLine, onDeath } = options;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { NODE_COMPILE_CACHE: join(cwd, 'node_modules/.cache/atelier/compiled'), ...env, NODE_ENV: mode },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines: string[] = [];
  const collect = (stream: Readable | null) => {
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine?.(line);
    });
  };
  collect(child.stdout);
  collect(child.stderr);

  let isStopping = false;
  let isGone = false;
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      // Once the group is empty, a new process can get the child's pid, so `stop` must not send a signal to that pid.
      isGone = child.pid !== undefined && !sendSignal(-child.pid, 0);
      resolve();
      // Let `childReady` or `childResponds` reject before `onDeath` is called, because their messages say more. If the
      // caller then calls `stop`, `onDeath` is not called at all.
      setImmediate(() => isStopping || onDeath?.(ending(child)));
    });
  });

  async function stop(): Promise<void> {
    isStopping = true;
    const { pid } = child;
    if (pid === undefined || isGone) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => sendSignal(-pid, 'SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
    // Stop any processes that the child has left in its group. (Postgres has its own group.)
    sendSignal(-pid, 'SIGTERM');
    if (!(await groupHasExited(pid, graceMs))) sendSignal(-pid, 'SIGKILL');
  }

  return { name, stopFirst, process: child, exited, tail: () => lines.join('\n').trim(), stop };
}

/** Waits for the message `{ type: 'ready' }`. Throws a StartError if the child sends an error or exits first. */
export function childReady(child: Child): Promise<ReadyMessage> {
  return new Promise((resolve, reject) => {
    child.process.on('message', (message: ReadyMessage | { type: 'error'; message: string }) => {
      if (message.type === 'ready') resolve(message);
      if (message.type === 'error') reject(new StartError(message.message));
    });
    child.exited.then(() => reject(endedEarly(child)));
  });
}

async function poll(child: Child, url: string, timeoutMs: number): Promise<void> {
  for (const until = Date.now() + timeoutMs; ; ) {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    if (Date.now() > until) {
      const state = response ? `returns ${response.status}` : 'does not respond';
      throw new StartError(
        `${sentenceCase(child.name)} still ${state} after ${timeoutMs / 1000} s.\n${child.tail()}`.trim(),
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until a URL responds with 2xx. Throws a StartError if the child exits first or `timeoutMs` has passed. */
export function childResponds(child: Child, url: string, timeoutMs: number): Promise<void> {
  const ended = child.exited.then(() => {
    throw endedEarly(child);
  });
  return Promise.race([poll(child, url, timeoutMs), ended]);
}

function endedEarly(child: Child): StartError {
  return new StartError(
    `${sentenceCase(child.name)} exited while starting (${ending(child.process)}).\n${child.tail()}`,
  );
}

/** Capitalizes the first letter. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
