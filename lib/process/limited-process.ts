import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Limits for the process that reads one file: CPU time in seconds, memory (heap and buffers together) in MB, and
 * elapsed time in milliseconds. The limit on elapsed time also stops a process that only waits or that a busy machine
 * slows down.
 */
export type Limits = { cpuSeconds: number; memoryMb: number; wallMs: number };

/**
 * `isOverLimit` means that the process was terminated by a signal that Atelier did not send, usually because it
 * exceeded its CPU or memory limit.
 */
export type Finished = { output: string; isOverLimit: boolean };

/** The maximum length of the output. Only a program that a hostile file has taken over writes more. */
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
 * Runs a program on a file in a separate process with limits, so that a hostile file can crash only that process. The
 * program reads an open file from descriptor 3, or bytes from stdin. Returns what it wrote to stdout, even if it was
 * killed for exceeding its CPU or memory limit. Throws when it exits with an error code, runs longer than `wallMs` or
 * writes too much, or when `signal` aborts.
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
  // The kernel enforces these two limits even after Atelier's process is gone. `ulimit -d` counts heap and buffers
  // together.
  const bounded = `ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024}; exec "$0" "$@"`;
  const child = spawn(
    '/bin/sh',
    ['-c', bounded, process.execPath, join(/* turbopackIgnore: true */ process.cwd(), program)],
    {
      stdio: 'descriptor' in file ? ['ignore', 'pipe', 'pipe', file.descriptor] : 'pipe',
      // Start a new process group, so that Ctrl-C in the terminal does not stop the process.
      detached: true,
      // Pass none of Atelier's settings, and therefore no secrets. Pass the compile cache, because without it, compiling
      // PDF.js takes almost half of the CPU time for a small file.
      env: {
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules/.cache/atelier/compiled'),
      },
      timeout: wallMs,
      killSignal: 'SIGKILL',
    },
  );
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });
  if ('bytes' in file) {
    // Ignore the error: if the process exits before it has read its input, its exit code gives the reason.
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
    // If a process exceeds its CPU limit, the kernel ends it with a signal. If it runs out of memory, Node usually
    // aborts, which also ends it with a signal. `killed` is true if Atelier sent the signal, for example after `wallMs`
    // or because the caller canceled the call.
    if (killedBy !== null && !child.killed) return { output, isOverLimit: true };
    throw new Error(`${program} exited with ${killedBy ?? code}: ${errorOutput.slice(-2000)}`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}
