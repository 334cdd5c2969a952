import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import puppeteer, { type Browser } from 'puppeteer-core';
import { sendSignal } from '@/lib/process/live-process';
import type { OsUser } from '@/lib/process/os-user';
import { pipeTransport } from './pipe-transport';

export type LaunchedChromium = {
  browser: Browser;
  /** Id of the browser process, which leads its own process group. */
  pid: number;
  sandboxed: boolean;
  /** Closes the browser, or kills it after 5 seconds; resolves when its process has exited. */
  close(): Promise<void>;
};

/** Thrown when a browser does not start; `stderrEnd` is the end of its standard error. */
export class BrowserStartError extends Error {
  override name = 'BrowserStartError';
  readonly stderrEnd: string;
  constructor(message: string, stderrEnd: string, cause: unknown) {
    super(stderrEnd ? `${message}\n${stderrEnd}` : message, { cause });
    this.stderrEnd = stderrEnd;
  }
}

const START_MS = 15_000;
const CLOSE_MS = 5_000;
const STDERR_CHARS = 4_000;

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error(`not within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

function collectStderrEnd(stream: Readable): () => string {
  let collected = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    collected = (collected + text).slice(-STDERR_CHARS);
  });
  return () => collected.trim();
}

function hasExited(child: ChildProcess): Promise<unknown> {
  return child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
}

/** Starts a browser and connects to it through its pipe. After a BrowserStartError, nothing is left running. */
export async function startProcess(options: {
  executable: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  user: OsUser | undefined;
  sandbox: boolean;
}): Promise<LaunchedChromium> {
  const { executable, args, env, cwd, user, sandbox } = options;
  const child = spawn(executable, args, {
    ...user,
    env: env as NodeJS.ProcessEnv,
    cwd,
    // Start a new process group, so that Ctrl-C in the terminal reaches only Atelier.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, 'error');
    throw new BrowserStartError(
      `Chromium cannot be run: ${error instanceof Error ? error.message : error}`,
      '',
      error,
    );
  }
  const [, , stderr, toBrowser, fromBrowser] = child.stdio as [null, null, Readable, Writable, Readable];
  const stderrEnd = collectStderrEnd(stderr);
  const exited = hasExited(child);
  const closed = once(child, 'close');
  try {
    const transport = pipeTransport(toBrowser, fromBrowser);
    const browser = await within(START_MS, puppeteer.connect({ transport, defaultViewport: null }));
    return {
      browser,
      pid,
      sandboxed: sandbox,
      async close() {
        await within(CLOSE_MS, Promise.all([browser.close(), exited])).catch(() => {});
        sendSignal(-pid, 'SIGKILL');
        await exited;
      },
    };
  } catch (error) {
    sendSignal(-pid, 'SIGKILL');
    await closed;
    throw new BrowserStartError('Chromium did not start.', stderrEnd(), error);
  }
}
