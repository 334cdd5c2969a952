import { parentPort } from 'node:worker_threads';
import { onBehalfOf } from '@/lib/log/request-id';
import { sentError } from './sent-error';
import type { Task, TaskResult } from './task-pool';

/** Functions by name. Inputs and results must be cloneable. */
// biome-ignore lint/suspicious/noExplicitAny: each task has an input of its own.
export type Tasks = Record<string, (input: any) => unknown>;

/** Serves tasks in a thread: a `TaskPool`'s entry module calls it once. */
export function serveTasks(tasks: Tasks): void {
  const port = parentPort;
  if (!port) throw new Error('This module runs in a thread of a task pool.');
  port.on('message', async ({ name, input, requestId }: Task) => {
    let result: TaskResult;
    try {
      const task = tasks[name];
      if (!task) throw new Error(`There is no task ${name}.`);
      result = { value: await onBehalfOf(requestId, async () => task(input)) };
    } catch (error) {
      result = { error: sentError(error) };
    }
    const bytes =
      'value' in result && result.value instanceof Uint8Array ? [result.value.buffer as ArrayBuffer] : [];
    port.postMessage(result, bytes);
  });
}
