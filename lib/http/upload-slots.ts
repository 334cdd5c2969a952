import type { Access } from '@/lib/auth/access';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { drain } from './drain';
import { quotaOf } from './quota';

/**
 * Runs an upload in one of this process's upload slots. There are only `UPLOADS_AT_ONCE` slots, because each upload
 * holds a temporary file and memory. Admin routes, which upload specs, have the same number of separate slots, so that
 * other uploads cannot block them. One user gets at most half of the slots. If no slot is free for the user, throws
 * `unavailable` with `Retry-After` and drains the body, so that the client reads the response.
 */
export async function inUploadSlot<T>(
  request: Request,
  access: Access,
  userId: string,
  work: () => Promise<T>,
): Promise<T> {
  const slots = quotaOf(access === 'admin' ? 'admin-uploads' : 'uploads');
  const release = slots.take(userId, 1, serverEnv().UPLOADS_AT_ONCE);
  if (!release) {
    if (request.body) void drain(request.body.getReader());
    throw new HttpError('unavailable', 'Too many uploads are running. Try again in a moment.', {
      retryAfter: 2,
    });
  }
  try {
    return await work();
  } finally {
    release();
  }
}
