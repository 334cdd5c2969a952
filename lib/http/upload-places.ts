import { serverEnv } from '@/lib/env/server';
import { drain } from './drain';
import { HttpError } from './problem';

type Places = { taken: number; byUser: Map<string, number> };

// Each route's bundle has its own copy of this module: they count at the global object.
const key = Symbol.for('atelier.upload-places');
const shared = globalThis as typeof globalThis & { [key]?: Places };

function change(places: Places, userId: string, by: 1 | -1): void {
  places.taken += by;
  const mine = (places.byUser.get(userId) ?? 0) + by;
  if (mine > 0) places.byUser.set(userId, mine);
  else places.byUser.delete(userId);
}

/**
 * Runs the work of an upload in one of the places that this process has for uploads (`UPLOADS_AT_ONCE`), since each
 * holds a temporary file open and a decoder busy. One user gets half of them at most, so that slow senders leave room.
 * Throws `unavailable` with `Retry-After` when none is free; the body is then read to its end all the same, so that the
 * sender gets to the answer.
 */
export async function inUploadPlace<T>(request: Request, userId: string, work: () => Promise<T>): Promise<T> {
  shared[key] ??= { taken: 0, byUser: new Map() };
  const places = shared[key];
  const all = serverEnv().UPLOADS_AT_ONCE;
  if (places.taken >= all || (places.byUser.get(userId) ?? 0) >= Math.floor(all / 2)) {
    if (request.body) void drain(request.body.getReader());
    throw new HttpError('unavailable', 'Too many uploads come in just now. Try again in a moment.', {
      retryAfter: 2,
    });
  }
  change(places, userId, 1);
  try {
    return await work();
  } finally {
    change(places, userId, -1);
  }
}
