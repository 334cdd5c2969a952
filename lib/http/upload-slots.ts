import type { Access } from '@/lib/auth/access';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { sharedValue } from '@/lib/process/shared-value';
import { drain } from './drain';

/** A sender that delivers less than this within `STALLED_MS` of waiting for it gives up its slot if someone needs it. */
const STEADY_BYTES = 64 * 1024;
const STALLED_MS = 2_000;

type Upload = {
  userId: string;
  /** The milliseconds that the server has waited for the sender since the last `STEADY_BYTES` arrived. */
  waitedMs: () => number;
  /** Makes the body fail with `too_slow`. */
  stop: () => void;
};

/** Returns a request with the same body, which can be stopped, and the upload to keep track of it. */
function watched(request: Request, userId: string): { request: Request; upload: Upload } {
  const reader = request.body?.getReader();
  if (!reader) return { request, upload: { userId, waitedMs: () => 0, stop: () => {} } };
  let waited = 0;
  let waitingSince: number | null = null;
  let bytes = 0;
  let isStopped = false;
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = () => {
          isStopped = true;
          // The rest of the body is not read, so the connection cannot be used again.
          const headers = { connection: 'close' };
          const message = 'The upload stalled while others were waiting. Send it again.';
          controller.error(new HttpError('too_slow', message, { headers }));
        };
      },
      async pull(controller) {
        waitingSince = performance.now();
        const { done, value } = await reader.read();
        if (isStopped) return;
        waited += performance.now() - waitingSince;
        waitingSince = null;
        bytes += value?.byteLength ?? 0;
        // An upload that has arrived no longer waits for its sender.
        if (done || bytes >= STEADY_BYTES) {
          bytes = 0;
          waited = 0;
        }
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const waitedMs = () => waited + (waitingSince === null ? 0 : performance.now() - waitingSince);
  const { method, headers, signal } = request;
  // `duplex` is required for a body that is a stream, but the types lack it.
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body, duplex: 'half' };
  return { request: new Request(request.url, init), upload: { userId, waitedMs, stop } };
}

/**
 * Runs an upload in one of this process's upload slots. There are only `UPLOADS_AT_ONCE` slots, because each upload
 * holds a temporary file and memory. Admin routes, which upload specs, have the same number of separate slots, so that
 * other uploads cannot block them. One user gets at most half of the slots. If no slot is free for the user, the most
 * stalled upload of the user with the most slots fails with `too_slow` and makes room. If none is stalled, throws
 * `unavailable` with `Retry-After` and drains the body, so that the client reads the response.
 */
export async function inUploadSlot<T>(
  request: Request,
  access: Access,
  userId: string,
  work: (request: Request) => Promise<T>,
  stalledMs = STALLED_MS,
): Promise<T> {
  const uploads = sharedValue(access === 'admin' ? 'uploads.admin' : 'uploads', () => new Set<Upload>());
  const slots = serverEnv().UPLOADS_AT_ONCE;
  const slotsOf = (user: string) => [...uploads].filter((upload) => upload.userId === user).length;
  const hasHalf = slotsOf(userId) >= Math.floor(slots / 2);
  if (hasHalf || uploads.size >= slots) {
    const [stalled] = [...uploads]
      .filter((upload) => upload.waitedMs() > stalledMs && (!hasHalf || upload.userId === userId))
      .sort((a, b) => slotsOf(b.userId) - slotsOf(a.userId) || b.waitedMs() - a.waitedMs());
    if (!stalled) {
      if (request.body) void drain(request.body.getReader());
      throw new HttpError('unavailable', 'Too many uploads are running. Try again in a moment.', {
        retryAfter: 2,
      });
    }
    uploads.delete(stalled);
    stalled.stop();
  }
  const { request: watchedRequest, upload } = watched(request, userId);
  uploads.add(upload);
  try {
    return await work(watchedRequest);
  } finally {
    uploads.delete(upload);
  }
}
