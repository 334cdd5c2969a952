import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Limits for one file: processor time in seconds, memory in MB (heap and buffers together), and the time after which a
 * process that is still within its processor time must have been waiting for a busy machine.
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
 * Runs a program on a file in a separate process with limits, so that a hostile file can only crash that process. The
 * program has an open file as descriptor 3, and the bytes of a file in stdin. Returns what it wrote to stdout. Throws
 * when the process fails for a reason other than the file, or when `signal` aborts.
 */
export async function runLimited(
  program:
    | 'lib/specs/pdf/reader-process.ts'
    | 'lib/specs/pdf/text-process.ts'
    | 'lib/specs/pdf/attachment-process.ts'
    | 'lib/storage/svg/draw-process.ts',
  file: { descriptor: number } | { bytes: Uint8Array },
  { cpuSeconds, memoryMb, wallMs }: Limits,
  signal?: AbortSignal,
): Promise<Finished> {
  signal?.throwIfAborted();
  // The kernel enforces the limits even when this process is gone. RLIMIT_DATA counts heap and buffers together.
  const bounded = `ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024}; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, process.execPath, join(process.cwd(), program)], {
    stdio: 'descriptor' in file ? ['ignore', 'pipe', 'pipe', file.descriptor] : 'pipe',
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
  if ('bytes' in file) {
    // If the process exits before it has read its input, its exit code has the reason.
    child.stdin?.on('error', () => {});
    child.stdin?.end(file.bytes);
  }
  try {
    const [output, errorOutput, [code, killedBy]] = await Promise.all([
      textOf(child.stdout as Readable, kill),
      textOf(child.stderr as Readable, kill),
      once(child, 'close'),
    ]);
    if (code === 0) return { output, isOverLimit: false };
    // A signal kills a process that exceeds a limit. We also kill it (`killed`), but then no limit was exceeded.
    if (killedBy !== null && !child.killed) return { output, isOverLimit: true };
    throw new Error(`${program} exited with ${killedBy ?? code}: ${errorOutput.slice(-2000)}`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
