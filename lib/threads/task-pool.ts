import { Worker } from 'node:worker_threads';
import { HttpError } from '@/lib/errors/problem';
import { type SentError, sentError } from './sent-error';

export type Task = { name: string; input: unknown; requestId: string | null };
export type TaskResult = { value: unknown } | { error: SentError };
/** Messages from a thread: `begun` when it starts a task, then the result. */
export type TaskMessage = 'begun' | TaskResult;

type Waiting = Task & { owner: string; done: (result: TaskResult) => void };
type Thread = { worker: Worker; running: Waiting | null; deadline?: NodeJS.Timeout };

/** The owner of tasks that no user waits for. They take turns with the tasks of users. */
export const BACKGROUND = 'background';
/** The owner of tasks for people without an account. They run only when no other task waits. */
export const VISITORS = 'visitors';

export type TaskPool = {
  /** Runs a task with a cloneable input in a thread. `owner` is a user's id, BACKGROUND or VISITORS. Never rejects. */
  run: (task: Task, owner: string) => Promise<TaskResult>;
};

/** The maximum heap of one thread. If a task needs more, its thread crashes, but the process does not. */
const MAX_HEAP_MB = 768;

/**
 * Creates a pool of at most `width` threads, started on demand. Each thread runs the module `entry` (see
 * `serveTasks`) and works on one task at a time. The tasks of owners without a running task go first, and those of
 * visitors last. A task that runs longer than `maxMs` fails with `unavailable`, and its thread is terminated. With
 * `keepThreads`, threads are reused. Otherwise, each thread runs only one task.
 */
export function makeTaskPool(
  entry: string,
  { width, keepThreads, maxMs }: { width: number; keepThreads: boolean; maxMs: number },
): TaskPool {
  const waiting: Waiting[] = [];
  const threads = new Set<Thread>();

  function finish(thread: Thread, result: TaskResult): void {
    clearTimeout(thread.deadline);
    thread.running?.done(result);
    thread.running = null;
    thread.worker.unref();
    if (!keepThreads) {
      threads.delete(thread);
      void thread.worker.terminate();
    }
    startNext();
  }

  function giveUp(thread: Thread): void {
    threads.delete(thread);
    void thread.worker.terminate();
    const cause = new Error(`The task ${thread.running?.name} ran longer than ${maxMs} ms.`);
    const error = new HttpError('unavailable', 'The document took too long to process.', {
      retryAfter: 5,
      cause,
    });
    finish(thread, { error: sentError(error) });
  }

  function open(): Thread {
    const worker = new Worker(entry, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const thread: Thread = { worker, running: null };
    const lose = (message: string) => {
      threads.delete(thread);
      if (thread.running) finish(thread, { error: { message } });
    };
    worker.on('message', (message: TaskMessage) => {
      if (message === 'begun') thread.deadline = setTimeout(() => giveUp(thread), maxMs);
      else finish(thread, message);
    });
    worker.on('error', (error) =>
      lose(`The thread has failed: ${error instanceof Error ? error.message : error}`),
    );
    worker.on('exit', () => lose('The thread has ended.'));
    threads.add(thread);
    return thread;
  }

  function startNext(): void {
    while (waiting.length > 0) {
      const idle = [...threads].find(({ running }) => !running) ?? (threads.size < width ? open() : null);
      if (!idle) return;
      const busy = new Set([...threads].map(({ running }) => running?.owner));
      const inside = waiting.filter(({ owner }) => owner !== VISITORS);
      const next = inside.find(({ owner }) => !busy.has(owner)) ?? inside[0] ?? waiting[0];
      if (!next) return;
      waiting.splice(waiting.indexOf(next), 1);
      idle.running = next;
      // Only a thread with a task keeps the process alive.
      idle.worker.ref();
      const { name, input, requestId } = next;
      idle.worker.postMessage({ name, input, requestId } satisfies Task);
    }
  }

  return {
    run: (task, owner) =>
      new Promise((done) => {
        waiting.push({ ...task, owner, done });
        startNext();
      }),
  };
}
