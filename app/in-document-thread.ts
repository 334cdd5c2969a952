import { join } from 'node:path';
import { serverEnv } from '@/lib/env/server';
import { currentRequestId } from '@/lib/log/request-id';
import { sharedValue } from '@/lib/process/shared-value';
import { receivedError } from '@/lib/threads/sent-error';
import { makeTaskPool, type TaskPool } from '@/lib/threads/task-pool';
import type { DocumentTasks } from './document-tasks';

/** Number of threads in each process for parsing and rendering documents. */
const THREADS = 2;
/** Maximum duration of a task in milliseconds. The heaviest document takes far less time, even on a busy machine. */
const MAX_TASK_MS = 2 * 60_000;

function pool(): TaskPool {
  return sharedValue('document-threads', () =>
    makeTaskPool(join(process.cwd(), 'dist/document-thread.mjs'), {
      width: THREADS,
      // In development, each task starts a new thread, which loads the current bundle.
      keepThreads: serverEnv().NODE_ENV !== 'development',
      maxMs: MAX_TASK_MS,
    }),
  );
}

/**
 * Runs one of `documentTasks` in a separate thread, because the task could block the event loop for too long. `owner`
 * is the user for whom the task runs, BACKGROUND or VISITORS. Throws the task's errors, and `unavailable` if the task takes too
 * long.
 */
export async function inDocumentThread<Name extends keyof DocumentTasks>(
  name: Name,
  input: Parameters<DocumentTasks[Name]>[0],
  owner: string,
): Promise<Awaited<ReturnType<DocumentTasks[Name]>>> {
  const result = await pool().run({ name, input, requestId: currentRequestId() ?? null }, owner);
  if ('error' in result) throw receivedError(result.error);
  return result.value as Awaited<ReturnType<DocumentTasks[Name]>>;
}
