import { join } from 'node:path';
import { serverEnv } from '@/lib/env/server';
import { currentRequestId } from '@/lib/log/request-id';
import { receivedError } from '@/lib/threads/sent-error';
import { makeTaskPool, type TaskPool } from '@/lib/threads/task-pool';
import type { DocumentTasks } from './document-tasks';

/** The number of threads per process that parse and render documents. */
const THREADS = 2;
/** Far longer than the heaviest document takes on a busy machine. */
const MAX_TASK_MS = 2 * 60_000;

// Each route's bundle has its own copy of this module, so they share the threads through the global object.
const key = Symbol.for('atelier.document-threads');
const shared = globalThis as typeof globalThis & { [key]?: TaskPool };

function pool(): TaskPool {
  // In development, each task starts a new thread, which loads the current sources.
  const keepThreads = serverEnv().NODE_ENV !== 'development';
  shared[key] ??= makeTaskPool(join(process.cwd(), 'app', 'document-thread.ts'), {
    width: THREADS,
    keepThreads,
    maxMs: MAX_TASK_MS,
  });
  return shared[key];
}

/**
 * Runs a task with a whole document in a thread, because it would block the event loop for too long. `userId` is the user
 * that it runs for, or '' for none. Throws the task's errors.
 */
export async function inDocumentThread<Name extends keyof DocumentTasks>(
  name: Name,
  input: Parameters<DocumentTasks[Name]>[0],
  userId = '',
): Promise<Awaited<ReturnType<DocumentTasks[Name]>>> {
  const result = await pool().run({ name, input, requestId: currentRequestId() ?? null }, userId);
  if ('error' in result) throw receivedError(result.error);
  return result.value as Awaited<ReturnType<DocumentTasks[Name]>>;
}
