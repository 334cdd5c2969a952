import { parentPort } from 'node:worker_threads';
import { withRequestId } from '@/lib/log/request-id';
import { sentError } from './sent-error';
import type { Task, TaskMessage, TaskResult } from './task-pool';

/** A thread's functions by name. Their inputs and results must be cloneable. */
// biome-ignore lint/suspicious/noExplicitAny: each task has its own input type.
export type Tasks = Record<string, (input: any) => unknown>;

/**
 * Returns the buffers to transfer instead of copying: the buffer of `value` if it is a byte array, otherwise the
 * buffers of its members that are byte arrays.
 */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return members.flatMap((member) => (member instanceof Uint8Array ? [member.buffer as ArrayBuffer] : []));
}

/** Runs the tasks that a `TaskPool` sends to this thread. The pool's entry module calls this function once. */
export function serveTasks(tasks: Tasks): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a thread of a task pool.');
  port.on('message', async ({ name, input, requestId }: Task) => {
    port.postMessage('begun' satisfies TaskMessage);
    let result: TaskResult;
    try {
      const task = tasks[name];
      if (!task) throw new Error(`There is no task ${name}.`);
      result = { value: await withRequestId(requestId, async () => task(input)) };
    } catch (error) {
      result = { error: sentError(error) };
    }
    port.postMessage(result satisfies TaskMessage, 'value' in result ? buffersIn(result.value) : []);
  });
}
