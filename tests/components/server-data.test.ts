import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { createQueryClient } from '@/components/shell/query-client';
import { readAgain } from '@/hooks/read-again';
import { ApiError } from '@/lib/http/client';

type Read = { resolve: (value: string) => void; signal: AbortSignal };

const queryKey = ['things', 'of a page'];

test('changes during a read share one more read, which starts after the first', async () => {
  const client = createQueryClient();
  const reads: Read[] = [];
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) => new Promise<string>((resolve) => reads.push({ resolve, signal })),
  });
  onTestFinished(observer.subscribe(() => undefined));
  const again = [1, 2, 3].map(() => readAgain(client, ['things']));
  reads[0]?.resolve('old');
  await expect.poll(() => reads.length).toBe(2);
  expect(reads[0]?.signal.aborted).toBe(false);
  reads[1]?.resolve('new');
  await Promise.all(again);
  expect(reads).toHaveLength(2);
  expect(observer.getCurrentResult().data).toBe('new');
});

test('a failed read keeps the data that is shown, and is not retried automatically', async () => {
  const client = createQueryClient();
  let reads = 0;
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      reads += 1;
      if (reads > 1) throw new ApiError(503, {});
      return 'old';
    },
  });
  onTestFinished(observer.subscribe(() => undefined));
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true);
  await readAgain(client, queryKey);
  expect(reads).toBe(2);
  expect(observer.getCurrentResult()).toMatchObject({ data: 'old', error: { status: 503 } });
});

test('a query that is no longer shown is not read again, and its read is aborted', async () => {
  const client = createQueryClient();
  const reads: AbortSignal[] = [];
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) => {
      reads.push(signal);
      return new Promise<string>(() => undefined);
    },
  });
  observer.subscribe(() => undefined)();
  await readAgain(client, queryKey);
  expect(reads.map(({ aborted }) => aborted)).toEqual([true]);
});
