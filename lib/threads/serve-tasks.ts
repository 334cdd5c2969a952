import { parentPort } from 'node:worker_threads';
import { withRequestId } from '@/lib/log/request-id';
import { sentError } from './sent-error';
import type { Task, TaskMessage, TaskResult } from './task-pool';

/** Functions by name. Inputs and results must be cloneable. */
// biome-ignore lint/suspicious/noExplicitAny: each task has an input of its own.
export type Tasks = Record<string, (input: any) => unknown>;

/** The memory of a value that is bytes, or has members that are: it is moved to the other thread, not copied. */
function buffersIn(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return [value.buffer as ArrayBuffer];
  const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return members.flatMap((member) => (member instanceof Uint8Array ? [member.buffer as ArrayBuffer] : []));
}

/** Serves tasks in a thread: a `TaskPool`'s entry module calls it once. */
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
