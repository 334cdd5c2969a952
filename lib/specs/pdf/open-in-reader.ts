import { z } from 'zod';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import { type Limits, runLimited } from '@/lib/process/limited-process';

const DEFAULT_LIMITS: Limits = { cpuSeconds: 10, memoryMb: 768, wallMs: 60_000 };

/** The result of opening a file with PDF.js, without a password. */
const response = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('open'), isProtected: z.boolean() }),
  z.object({ outcome: z.enum(['password', 'unknown_encryption', 'no_page', 'damaged', 'too_costly']) }),
]);

export type ReaderOutcome = z.infer<typeof response>;

/** Runs one process at a time across all users, because each process needs a processor core and a lot of memory. */
const inTurn = concurrencyLimit(1);

async function run(fileDescriptor: number, limits: Limits): Promise<ReaderOutcome> {
  const { output, isOverLimit } = await runLimited(
    'lib/specs/pdf/reader-process.ts',
    { descriptor: fileDescriptor },
    limits,
  );
  return isOverLimit ? { outcome: 'too_costly' } : response.parse(JSON.parse(output));
}

/**
 * Opens a PDF with PDF.js in a separate process with bounded time and memory. PDF.js repairs damaged files. Only one
 * process runs at a time, and other calls wait. Throws when the process fails for a reason other than the file.
 */
export function openInReader(fileDescriptor: number, limits: Partial<Limits> = {}): Promise<ReaderOutcome> {
  return inTurn(() => run(fileDescriptor, { ...DEFAULT_LIMITS, ...limits }));
}
