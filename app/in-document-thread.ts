import { join } from 'node:path';
import { serverEnv } from '@/lib/env/server';
import { currentRequestId } from '@/lib/log/request-id';
import { receivedError } from '@/lib/threads/sent-error';
import { makeTaskPool, type TaskPool } from '@/lib/threads/task-pool';
import type { DocumentTasks } from './document-tasks';

/** Documents are parsed and drawn side by side, at most this many in a process. */
const THREADS = 2;
/** Far longer than the heaviest document takes on a busy machine. */
const MAX_TASK_MS = 2 * 60_000;

// Each route's bundle has its own copy of this module: they share the threads through the global object.
const key = Symbol.for('atelier.document-threads');
const shared = globalThis as typeof globalThis & { [key]?: TaskPool };

function pool(): TaskPool {
  // A changed source counts from the next task on while one develops.
  const keepThreads = serverEnv().NODE_ENV !== 'development';
  shared[key] ??= makeTaskPool(join(process.cwd(), 'app', 'document-thread.ts'), {
    width: THREADS,
    keepThreads,
    maxMs: MAX_TASK_MS,
  });
  return shared[key];
}

/**
 * Does a task with a whole document in a thread of its own, so that this one goes on answering: what takes a document
 * apart takes too long for the event loop. `userId` is for whom it is done, '' for nobody. Throws what the task throws.
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
