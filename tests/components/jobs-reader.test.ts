import { afterEach, describe, expect, test, vi } from 'vitest';
import { imageGenReducer, openImageGen } from '@/hooks/image-gen/image-gen-state';
import { createJobsReader } from '@/hooks/image-gen/jobs-reader';
import { createReducerStore } from '@/hooks/reducer-store';
import { ApiError } from '@/lib/http/client';
import type { ImageJob, ImageStatus } from '@/lib/image-gen/schema';
import { jobOf } from './support/image-gen-records';

const P = 'b0000000-0000-4000-8000-000000000001';
const START = Date.parse('2026-01-01T00:00:00Z');
const idOf = (n: number) => `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Returns job `n`, created `n` seconds after `START`. */
const numberedJob = (n: number, status: ImageStatus): ImageJob =>
  jobOf(idOf(n), status, 1, { projectId: P, createdAt: new Date(START + n * 1000).toISOString() });

/** Stubs the API routes of jobs 1 to `count`, which the list returns newest first. */
function serverOf(count: number, status: ImageStatus = 'succeeded') {
  const jobs = Array.from({ length: count }, (_, i) => numberedJob(count - i, status));
  const requests: string[] = [];
  const server = {
    jobs,
    requests,
    /** Returns the status of the error response to send, or undefined for a normal response. Tests replace it. */
    fault: (_path: string): number | undefined => undefined,
    /** Called before each response. */
    onRequest: (_path: string): void => undefined,
    add: (n: number, status: ImageStatus = 'succeeded') => jobs.unshift(numberedJob(n, status)),
    move: (n: number, status: ImageStatus) => {
      const job = jobs.find(({ jobId }) => jobId === idOf(n));
      if (job) Object.assign(job, { status, statusSeq: job.statusSeq + 1 });
    },
  };
  vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit) => {
    requests.push(path);
    server.onRequest(path);
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const fault = server.fault(path);
    if (fault) return Response.json({ detail: 'No.' }, { status: fault });
    const url = new URL(path, 'http://atelier.test');
    if (url.pathname !== '/api/image-gen/jobs') {
      const job = jobs.find(({ jobId }) => url.pathname.endsWith(jobId));
      return job ? Response.json(job) : Response.json({}, { status: 404 });
    }
    const query = Object.fromEntries(url.searchParams);
    const limit = Number(query.limit);
    const after = query.cursor ?? '9';
    const rows = jobs.filter(
      (job) => job.createdAt < after && (!query.status || query.status === job.status),
    );
    const page = rows.slice(0, limit);
    return Response.json({
      jobs: page,
      nextCursor: rows.length > limit ? page.at(-1)?.createdAt : null,
    });
  });
  return server;
}

/** Creates a store for the project's jobs and a reader that fills it. */
function pageOf() {
  const store = createReducerStore(imageGenReducer, openImageGen());
  const { get, dispatch } = store;
  const reader = createJobsReader(store, P);
  return {
    reader,
    error: () => get().error,
    shown: () => get().jobs.map(({ jobId }) => Number(jobId.slice(-12))),
    /** Adds job `n` to the list in the same way as the response to a request for that job alone. */
    readAlone: (n: number) => dispatch({ type: 'job-read', job: numberedJob(n, 'succeeded'), at: 0 }),
    statusOf: (n: number) => get().jobs.find(({ jobId }) => jobId === idOf(n))?.status,
    filter: (status: ImageStatus) => {
      dispatch({ type: 'filtered', status });
      return reader.restart();
    },
  };
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => count - i);
const isPage = (path: string) => path.includes('?');

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a long list', () => {
  test('a refresh after all jobs were loaded takes one request and keeps all jobs', async () => {
    const server = serverOf(1000);
    const { reader, shown } = pageOf();
    await reader.readAll();
    expect(shown()).toEqual(upTo(1000));
    server.requests.length = 0;
    server.add(1001);
    await reader.run();
    await reader.resync();
    const firstPage = `/api/image-gen/jobs?projectId=${P}&limit=24`;
    expect(server.requests).toEqual([firstPage, firstPage]);
    expect(shown()).toEqual(upTo(1001));
  });

  test('more new jobs than a page holds are all read, so that no job is left out', async () => {
    const server = serverOf(300);
    const { reader, shown } = pageOf();
    await reader.readAll();
    for (let n = 301; n <= 360; n += 1) server.add(n);
    server.requests.length = 0;
    await reader.run();
    expect(shown()).toEqual(upTo(360));
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['the first page is', 24],
    ['all jobs are', 71],
  ])(
    'a new job that was read by itself hides no jobs that were created just before it, when %s shown',
    async (_, count) => {
      const server = serverOf(40);
      const { reader, readAlone, shown } = pageOf();
      await (count === 24 ? reader.run() : reader.readAll());
      for (let n = 41; n <= 71; n += 1) server.add(n);
      readAlone(71);
      await reader.run();
      expect(shown()).toEqual(upTo(71).slice(0, count));
    },
  );

  test('a refresh that began before a new job existed hides no jobs that were created just before it', async () => {
    const server = serverOf(40);
    const { reader, readAlone, shown } = pageOf();
    await reader.run();
    for (let n = 41; n <= 70; n += 1) server.add(n);
    const read = reader.run();
    readAlone(71);
    await read;
    expect(shown()).toEqual(upTo(70).slice(0, 24));
    server.add(71);
    await reader.run();
    expect(shown()).toEqual(upTo(71).slice(0, 25));
  });

  test('a refresh reads a changed job beyond the first page once', async () => {
    const server = serverOf(200);
    const { reader, statusOf } = pageOf();
    await reader.readAll();
    server.requests.length = 0;
    server.move(3, 'failed');
    reader.changed(idOf(3), 'failed');
    reader.changed(idOf(199), 'succeeded');
    await reader.run();
    await reader.run();
    expect(statusOf(3)).toBe('failed');
    expect(server.requests.filter((path) => !isPage(path))).toEqual([`/api/image-gen/jobs/${idOf(3)}`]);
  });

  test('a changed job whose read fails is read again by the next refresh', async () => {
    const server = serverOf(200);
    const { reader, statusOf, shown, error } = pageOf();
    await reader.readAll();
    for (const n of [3, 4]) {
      server.move(n, 'failed');
      reader.changed(idOf(n), 'failed');
    }
    server.fault = (path) => (isPage(path) ? undefined : 429);
    await reader.run();
    expect(statusOf(3)).toBe('succeeded');
    expect(error()).toBeNull();
    expect(shown()).toHaveLength(200);
    server.fault = () => undefined;
    await reader.run();
    expect([statusOf(3), statusOf(4)]).toEqual(['failed', 'failed']);
  });

  test('each resync reads a few unfinished jobs beyond the first page, until all have been read', async () => {
    const server = serverOf(200);
    for (let n = 1; n <= 20; n += 1) server.move(n, 'running');
    const { reader, statusOf } = pageOf();
    await reader.readAll();
    for (let n = 1; n <= 20; n += 1) server.move(n, n <= 10 ? 'failed' : 'running');
    server.requests.length = 0;
    for (let resync = 1; resync <= 3; resync += 1) {
      await reader.resync();
      expect(server.requests.length).toBeLessThanOrEqual(resync * 9);
    }
    expect(upTo(10).map(statusOf)).toEqual(upTo(10).map(() => 'failed'));
  });

  test('every resync reads the unfinished jobs beyond the first page if they are few', async () => {
    const server = serverOf(200);
    for (const n of [1, 2]) server.move(n, 'running');
    const { reader } = pageOf();
    await reader.readAll();
    server.requests.length = 0;
    for (let resync = 1; resync <= 3; resync += 1) await reader.resync();
    expect(server.requests.filter((path) => !isPage(path))).toHaveLength(6);
  });

  test('renewing reads all shown jobs again', async () => {
    const server = serverOf(150);
    const { reader, statusOf } = pageOf();
    await reader.readAll();
    server.move(2, 'failed');
    await reader.renew();
    expect(statusOf(2)).toBe('failed');
  });

  test('a job that moves into a filtered list beyond the first page is added', async () => {
    const server = serverOf(100, 'failed');
    server.move(5, 'running');
    const { reader, filter, shown } = pageOf();
    await filter('failed');
    await reader.readAll();
    expect(shown()).not.toContain(5);
    server.move(5, 'failed');
    reader.changed(idOf(5), 'failed');
    await reader.run();
    expect(shown()).toEqual(upTo(100));
  });
});

describe('readAll', () => {
  test('readAll rejects and reports the error when a page cannot be read, and the next read loads all jobs', async () => {
    const server = serverOf(300);
    const { reader, shown, error } = pageOf();
    server.fault = (path) => (path.includes('cursor') ? 429 : undefined);
    await expect(reader.readAll()).rejects.toThrow(ApiError);
    expect(error()).toBeInstanceOf(ApiError);
    server.fault = () => undefined;
    await reader.run();
    expect(shown()).toEqual(upTo(300));
  });

  test('readAll during a read of the first page resolves after all jobs are loaded', async () => {
    serverOf(300);
    const { reader, shown } = pageOf();
    void reader.run();
    await reader.readAll();
    expect(shown()).toEqual(upTo(300));
  });

  test('readAll is not rejected by a failed read that began earlier', async () => {
    const server = serverOf(300);
    const { reader, shown } = pageOf();
    server.fault = () => (server.requests.length === 1 ? 500 : undefined);
    void reader.run();
    await reader.readAll();
    expect(shown()).toEqual(upTo(300));
  });

  test('readAll resolves after a change of the filter once all jobs under the new filter are loaded', async () => {
    const server = serverOf(300);
    for (let n = 1; n <= 150; n += 1) server.move(n, 'failed');
    const { reader, filter, shown } = pageOf();
    server.onRequest = (path) => {
      if (!path.includes('cursor')) return;
      server.onRequest = () => undefined;
      void filter('failed');
    };
    await reader.readAll();
    expect(shown()).toEqual(upTo(150));
  });

  test('readAll rejects with AbortError when the page no longer shows the jobs', async () => {
    serverOf(300);
    const { reader, error } = pageOf();
    const all = reader.readAll();
    reader.stop();
    await expect(all).rejects.toMatchObject({ name: 'AbortError' });
    expect(error()).toBeNull();
  });
});
