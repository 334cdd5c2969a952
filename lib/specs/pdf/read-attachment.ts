import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import { type Limits, runLimited } from '@/lib/process/limited-process';

const LIMITS: Limits = { cpuSeconds: 10, memoryMb: 768, wallMs: 60_000 };
/** Runs one process at a time across all users, because each process needs a processor core and a lot of memory. */
const inTurn = concurrencyLimit(1);

const head = z.object({ outcome: z.enum(['found', 'none', 'unreadable', 'too_large']) });

const refusals = {
  none: 'The PDF has no editable document. It may have been exported without one.',
  unreadable: 'The PDF cannot be read.',
  too_large: 'The PDF takes too much time or memory to open.',
} as const;

/**
 * Returns the JSON of the editable document that is embedded in a PDF. Reads it in a separate process with bounded time
 * and memory. Throws `invalid_pdf` with the reason, or `unavailable` if the process fails for a reason other than the
 * file.
 */
export async function readAttachment(fileDescriptor: number, limits: Partial<Limits> = {}): Promise<Bytes> {
  const run = () =>
    runLimited(
      'lib/specs/pdf/attachment-process.ts',
      { descriptor: fileDescriptor },
      { ...LIMITS, ...limits },
    );
  const { output, isOverLimit } = await inTurn(run).catch((cause: unknown) => {
    throw new HttpError('unavailable', 'The PDF cannot be opened right now.', { retryAfter: 30, cause });
  });
  if (isOverLimit) throw new HttpError('invalid_pdf', refusals.too_large);
  const end = output.indexOf('\n');
  const { outcome } = head.parse(JSON.parse(output.slice(0, end)));
  if (outcome !== 'found') throw new HttpError('invalid_pdf', refusals[outcome]);
  return new TextEncoder().encode(output.slice(end + 1));
}
