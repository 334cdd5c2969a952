import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Limits for one file: processor time in seconds, and memory in MB, heap and buffers together. */
type Bounds = { cpuSeconds: number; memoryMb: number };
const DEFAULT_BOUNDS: Bounds = { cpuSeconds: 10, memoryMb: 768 };
/** A process that has not used up its processor time by then has been waiting for a busy machine. */
const WALL_MS = 60_000;

/** The result of opening a file in a PDF reader without a password. */
const response = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('open'), isProtected: z.boolean() }),
  z.object({ outcome: z.enum(['password', 'unknown_encryption', 'no_page', 'damaged', 'too_costly']) }),
]);

export type ReaderOutcome = z.infer<typeof response>;

// Settles when the last process in the queue has exited. Only one runs at a time, for all users, because each takes a
// whole processor and much memory.
let busy: Promise<unknown> = Promise.resolve();

async function run(fileDescriptor: number, { cpuSeconds, memoryMb }: Bounds): Promise<ReaderOutcome> {
  const program = join(process.cwd(), 'lib/specs/pdf/reader-process.ts');
  // The kernel enforces the limits even when this process is gone. RLIMIT_DATA counts heap and buffers together.
  const bounded = `ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024}; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe', fileDescriptor],
    // Its own process group, so that a Ctrl-C in our terminal does not stop it.
    detached: true,
    // Pass none of our settings, and therefore none of our secrets.
    env: {} as NodeJS.ProcessEnv,
    timeout: WALL_MS,
    killSignal: 'SIGKILL',
  });
  const [words, lastWords, [code, signal]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ]);
  if (code === 0) return response.parse(JSON.parse(words));
  // A signal kills a process that exceeds a limit. The timeout kills it too (`killed`), but then the processor time was
  // not used up.
  if (signal !== null && !child.killed) return { outcome: 'too_costly' };
  throw new Error(`the PDF reader ended with ${signal ?? code}: ${lastWords.slice(-2000)}`);
}

/**
 * Opens a PDF with PDF.js, which repairs what readers repair, in a separate process with bounded time and memory, so
 * that a hostile file can only crash that process. One process runs at a time; other calls wait. Throws when the
 * process fails for a reason other than the file.
 */
export function openInReader(
  fileDescriptor: number,
  bounds: Bounds = DEFAULT_BOUNDS,
): Promise<ReaderOutcome> {
  const turn = busy.then(() => run(fileDescriptor, bounds));
  busy = turn.catch(() => undefined);
  return turn;
}
