import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StartError } from './start-error';

const graceMs = 10_000;
const keptLines = 60;

export type ReadyMessage = { type: 'ready'; url: string; databaseUrl?: string };

export type Child = {
  what: string;
  /** It uses the others, so it is stopped before them. */
  stopFirst: boolean;
  process: ChildProcess;
  /** Resolves, never rejects, when the process has ended. */
  exited: Promise<void>;
  /** Its last lines of output, for the message when it fails. */
  tail(): string;
  /** SIGTERM, then SIGKILL for whatever of its process group is left after the grace time. */
  stop(): Promise<void>;
};

export type SpawnOptions = {
  what: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  mode?: 'production' | 'development';
  stopFirst?: boolean;
  onLine?: (line: string) => void;
  /** Called when it ends although nobody asked it to. */
  onDeath?: (how: string) => void;
};

/** How a process ended, in words: "exit code 1" or "SIGKILL". */
function ending(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function groupGone(pid: number, withinMs: number): Promise<boolean> {
  for (const until = Date.now() + withinMs; signalGroup(pid, 0); ) {
    if (Date.now() > until) return false;
    await new Promise((done) => setTimeout(done, 25));
  }
  return true;
}

/**
 * Runs our own Node with an IPC channel, by which a child learns that we are gone. Each child leads its own
 * process group: a Ctrl-C in the terminal reaches only us, and we stop the children in the right order.
 */
export function spawnNode(options: SpawnOptions): Child {
  const { what, args, cwd, env, mode = 'production', stopFirst = false, onLine, onDeath } = options;
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...env, NODE_ENV: mode },
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

  let asked = false;
  const exited = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => {
      resolve();
      // Whoever waits for it to be ready speaks first, and may have everything stopped for that reason.
      setImmediate(() => asked || onDeath?.(ending(child)));
    });
  });

  async function stop(): Promise<void> {
    asked = true;
    const { pid } = child;
    if (pid === undefined) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
    // What it leaves behind when it dies early, such as a database server, shuts down by the same signal.
    signalGroup(pid, 'SIGTERM');
    if (!(await groupGone(pid, graceMs))) signalGroup(pid, 'SIGKILL');
  }

  return { what, stopFirst, process: child, exited, tail: () => lines.join('\n').trim(), stop };
}

/** Waits for `{ type: 'ready' }`; throws a StartError with the child's own words if it ends before. */
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
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > until) {
      const state = answer ? `answers ${answer.status}` : 'does not answer';
      throw new StartError(
        `After ${timeoutMs / 1000} s ${child.what} still ${state}.\n${child.tail()}`.trim(),
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until an address answers 2xx; throws a StartError if the child ends before, or takes too long. */
export function childAnswers(child: Child, url: string, timeoutMs: number): Promise<void> {
  const ended = child.exited.then(() => {
    throw endedEarly(child);
  });
  return Promise.race([poll(child, url, timeoutMs), ended]);
}

function endedEarly(child: Child): StartError {
  return new StartError(
    `${sentenceCase(child.what)} ended while starting (${ending(child.process)}).\n${child.tail()}`,
  );
}

/** Puts a capital at the front of a sentence that begins with a name of ours. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
