import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Limits for one file: processor time in seconds, memory in MB (heap and buffers together), and the time after which
 * a process that has not used up its processor time has been waiting for a busy machine.
 */
export type Limits = { cpuSeconds: number; memoryMb: number; wallMs: number };

/** `isOverLimit` means that the process was killed because it exceeded a limit. */
export type Finished = { output: string; isOverLimit: boolean };

/** Programs limit their own output; a program that a hostile file controls may not. */
const MAX_OUTPUT_CHARS = 64 * 1024 * 1024;

async function textOf(stream: Readable, onTooLong: () => void): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    if (text.length > MAX_OUTPUT_CHARS) onTooLong();
    else text += chunk;
  }
  return text;
}

/**
 * Runs a program of `lib/specs/pdf` on a file, which it has as descriptor 3, in a separate process with limits, so that
 * a hostile file can only crash that process. Returns what it wrote to stdout. Throws when the process fails for a
 * reason other than the file, or when `signal` aborts.
 */
export async function runLimited(
  program: 'reader-process.ts' | 'text-process.ts' | 'attachment-process.ts',
  fileDescriptor: number,
  { cpuSeconds, memoryMb, wallMs }: Limits,
  signal?: AbortSignal,
): Promise<Finished> {
  signal?.throwIfAborted();
  // The kernel enforces the limits even when this process is gone. RLIMIT_DATA counts heap and buffers together.
  const bounded = `ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024}; exec "$0" "$@"`;
  const path = join(process.cwd(), 'lib/specs/pdf', program);
  const child = spawn('/bin/sh', ['-c', bounded, process.execPath, path], {
    stdio: ['ignore', 'pipe', 'pipe', fileDescriptor],
    // Its own process group, so that a Ctrl-C in our terminal does not stop it.
    detached: true,
    // Pass none of our settings, and therefore none of our secrets. Without the cache, almost half of the processor time
    // of a small file is spent on compiling PDF.js.
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules/.cache/atelier/compiled'),
    },
    timeout: wallMs,
    killSignal: 'SIGKILL',
  });
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  try {
    const [output, lastWords, [code, killedBy]] = await Promise.all([
      textOf(child.stdout as Readable, kill),
      textOf(child.stderr as Readable, kill),
      once(child, 'close'),
    ]);
    if (code === 0) return { output, isOverLimit: false };
    // A signal kills a process that exceeds a limit. We also kill it (`killed`), but then no limit was exceeded.
    if (killedBy !== null && !child.killed) return { output, isOverLimit: true };
    throw new Error(`the PDF reader exited with ${killedBy ?? code}: ${lastWords.slice(-2000)}`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
