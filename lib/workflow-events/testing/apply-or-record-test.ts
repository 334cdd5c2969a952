import { isHttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';
import type { CallbackResponse } from '@/lib/workflow/callback-schema';
import type { EventKind } from '../schema';
import { addTestStep, readTest } from './tests';

type Report = {
  kind: EventKind;
  id: string;
  status: CallbackResponse['status'];
  error?: string;
  notes: string[];
};

const isNotFound = (error: unknown) => isHttpError(error) && error.code === 'not_found';

async function isTest({ kind, id }: Report): Promise<boolean> {
  try {
    return (await readTest(id)).kind === kind;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Records a callback in the test that it names. Returns the response, or undefined if no test from the last hour has
 * this id and kind.
 */
async function recordTest(
  report: Report,
  check: () => Promise<string[]>,
): Promise<CallbackResponse | undefined> {
  if (!(await isTest(report))) return undefined;
  const { kind, id, status, error: reported = '' } = report;
  const found = [...report.notes, ...(await check())];
  const detail = [reported, ...found].filter(Boolean).join(' ');
  const isCurrent = await addTestStep(id, kind, { step: 'callback', status, ...(detail ? { detail } : {}) });
  if (!isCurrent) return undefined;
  return {
    received: true,
    applied: true,
    status,
    notes: ['This is a test: nothing was changed.', ...found],
  };
}

/**
 * Applies a callback. If its id belongs to a test instead of a spec or image job, only records the callback in that
 * test. `check` is called only for a test and returns notes on the reported outputs. Throws what `apply` throws.
 */
export async function applyOrRecordTest(
  report: Report,
  log: Log,
  apply: () => Promise<CallbackResponse>,
  check: () => Promise<string[]> = async () => [],
): Promise<CallbackResponse> {
  try {
    return await apply();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const response = await recordTest(report, check);
    const { id: subjectId, status } = report;
    log.info({ subjectId, status, outcome: response ? 'test' : 'not_found' }, 'callback');
    if (!response) throw error;
    return response;
  }
}
