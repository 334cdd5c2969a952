import type { z } from 'zod';
import { isHttpError } from '@/lib/errors/problem';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import type { EventKind } from '../schema';
import { addTestStep, readTest } from './tests';

type Result = z.infer<typeof callbackResponse>;
type Report = { kind: EventKind; id: string; status: string; error?: string };

/**
 * Applies a callback. If there is no spec or image job with its id, it may belong to a test, which records it and changes
 * nothing else; `check` returns notes on the reported outputs. Throws what `apply` throws.
 */
export async function applyOrRecordTest(
  { kind, id, status, error: reported = '' }: Report,
  apply: () => Promise<Result>,
  check: () => Promise<string[]> = async () => [],
): Promise<Result> {
  try {
    return await apply();
  } catch (error) {
    if (!isHttpError(error) || error.code !== 'not_found') throw error;
    const test = await readTest(id);
    if (test.kind !== kind) throw error;
    const found = await check();
    const detail = [reported, ...found].filter(Boolean).join(' ');
    const isCurrent = await addTestStep(id, kind, {
      step: 'callback',
      status,
      ...(detail ? { detail } : {}),
    });
    if (!isCurrent) throw error;
    return {
      received: true,
      applied: true,
      status,
      notes: ['This is a test: nothing was changed.', ...found],
    };
  }
}
