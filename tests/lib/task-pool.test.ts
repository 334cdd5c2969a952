import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { programPath } from '@/lib/launcher/programs';
import { receivedError } from '@/lib/threads/sent-error';
import { BACKGROUND, makeTaskPool, type TaskPool, VISITORS } from '@/lib/threads/task-pool';
import { tablePages } from '@/tests/pdf/support/heavy-pages';

const pool = makeTaskPool(programPath('document-thread'), {
  width: 2,
  keepThreads: true,
  maxMs: 120_000,
});
const run = (name: string, input: unknown, owner = BACKGROUND) =>
  pool.run({ name, input, requestId: null }, owner);

/** Returns how many turns of the event loop pass until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  let turns = 0;
  while (!done) {
    await nextTurn();
    turns += 1;
  }
  return turns;
}

test('a document of many cells is rendered in a thread while the event loop keeps turning', {
  tags: ['extended'],
}, async () => {
  const document = projectDocument.parse({ version: 0, pages: tablePages(5, 5) });
  const plan = planSheets(document, 'House', exportOptions.parse({}));
  const input = { plan, title: 'House', images: new Map(), imageSource: 'data:' };
  await run('documentHtml', { ...input, plan: { ...plan, sheets: [] } });
  let drawn: Awaited<ReturnType<TaskPool['run']>> | undefined;
  const turns = await turnsDuring(run('documentHtml', input).then((result) => (drawn = result)));
  expect(drawn).toEqual({ value: await documentHtml(input) });
  const here = await turnsDuring(nextTurn().then(() => documentHtml(input)));
  expect(turns).toBeGreaterThan(here * 10);
});

test('a body that a thread refuses gets the same problem response', async () => {
  const body = new TextEncoder().encode(JSON.stringify({ version: 0, pages: [{ id: 'p', elements: [{}] }] }));
  const result = await run('parseSaved', { body });
  if (!('error' in result)) throw new Error('It was accepted.');
  const error = receivedError(result.error);
  expect(error).toMatchObject({
    name: 'HttpError',
    status: 400,
    code: 'invalid_request',
    message: expect.stringMatching(/^Page 1 “p”, element 1, type: /),
    extra: { errors: [expect.objectContaining({ path: 'pages.0.elements.0.type' })] },
  });
});

test('the task of a user without a running task goes before the tasks of a user with one', async () => {
  const done: string[] = [];
  const ask = (userId: string) =>
    run('parseExport', { body: new TextEncoder().encode('{') }, userId).then(() => done.push(userId));
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'b'].map(ask));
  expect(done.indexOf('b')).toBeLessThan(4);
});

test('tasks of visitors wait for those of users, and tasks in the background do not', async () => {
  const single = makeTaskPool(resolve('tests/lib/endless-thread.mjs'), {
    width: 1,
    keepThreads: true,
    maxMs: 120_000,
  });
  const done: string[] = [];
  const ask = (owner: string) =>
    single.run({ name: 'same', input: null, requestId: null }, owner).then(() => done.push(owner));
  await Promise.all(['a', VISITORS, 'b', VISITORS, BACKGROUND].map(ask));
  expect(done).toEqual(['a', 'b', BACKGROUND, VISITORS, VISITORS]);
});

test('each task whose thread exits fails with an error', async () => {
  const other = makeTaskPool(resolve('tests/lib/no-such-thread.mjs'), {
    width: 1,
    keepThreads: true,
    maxMs: 120_000,
  });
  const fail = () => other.run({ name: 'x', input: null, requestId: null }, BACKGROUND);
  for (const result of await Promise.all([fail(), fail()])) {
    expect(result).toEqual({ error: { message: expect.stringMatching(/^The thread has /) } });
  }
});

test('a task that never ends fails with unavailable, its thread is replaced, and other tasks go on', async () => {
  const other = makeTaskPool(resolve('tests/lib/endless-thread.mjs'), {
    width: 2,
    keepThreads: true,
    maxMs: 1_000,
  });
  const ask = (name: string, input: unknown = null) =>
    other.run({ name, input, requestId: null }, BACKGROUND);
  // These two occupy both threads, so the other tasks wait until the threads are replaced.
  const endless = [ask('endless'), ask('endless')];
  const results = await Promise.all([1, 2, 3].map((n) => ask('same', n)));
  expect(results).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
  for (const result of await Promise.all(endless)) {
    if (!('error' in result)) throw new Error('It ended.');
    expect(receivedError(result.error)).toMatchObject({ code: 'unavailable', extra: { retryAfter: 5 } });
  }
});
