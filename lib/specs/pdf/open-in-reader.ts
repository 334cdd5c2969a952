import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** What one file gets: processor time in seconds, and memory in MB, heap and buffers together. */
type Bounds = { cpuSeconds: number; memoryMb: number };
const DEFAULT_BOUNDS: Bounds = { cpuSeconds: 10, memoryMb: 768 };
/** A file that has not used up its processor time by then has waited for a busy machine. */
const WALL_MS = 60_000;

/** What a PDF reader finds in a file, which it tries to open without a password. */
const answer = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('open'), isProtected: z.boolean() }),
  z.object({ outcome: z.enum(['password', 'unknown_encryption', 'no_page', 'damaged', 'too_costly']) }),
]);

export type ReaderOutcome = z.infer<typeof answer>;

// One at a time, whoever uploads: each takes a processor and much memory.
let busy: Promise<unknown> = Promise.resolve();

async function run(fileDescriptor: number, { cpuSeconds, memoryMb }: Bounds): Promise<ReaderOutcome> {
  const program = join(process.cwd(), 'lib/specs/pdf/reader-process.ts');
  // The kernel holds the process to its bounds, also when this one is gone. Heap and buffers are not told apart there.
  const bounded = `ulimit -t ${cpuSeconds}; ulimit -d ${memoryMb * 1024}; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, process.execPath, program], {
    stdio: ['ignore', 'pipe', 'pipe', fileDescriptor],
    // A group of its own, so that a Ctrl-C at our terminal does not end it.
    detached: true,
    // None of our settings, and so none of our secrets.
    env: {} as NodeJS.ProcessEnv,
    timeout: WALL_MS,
    killSignal: 'SIGKILL',
  });
  const [words, lastWords, [code, signal]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ]);
  if (code === 0) return answer.parse(JSON.parse(words));
  // A bound ends the process with a signal; so do we, when it has had its time without using it up.
  if (signal !== null && !child.killed) return { outcome: 'too_costly' };
  throw new Error(`the PDF reader ended with ${signal ?? code}: ${lastWords.slice(-2000)}`);
}

/**
 * Opens a PDF with PDF.js, which repairs what readers repair, in a process of its own with bounded time and memory:
 * a hostile file ends that process and nothing else. One runs at a time; the others wait.
 * Throws when the process could not do its work.
 */
export function openInReader(
  fileDescriptor: number,
  bounds: Bounds = DEFAULT_BOUNDS,
): Promise<ReaderOutcome> {
  const turn = busy.then(() => run(fileDescriptor, bounds));
  busy = turn.catch(() => undefined);
  return turn;
}
