import type { Access } from '@/lib/auth/access';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { drain } from './drain';
import { quotaOf } from './quota';

/**
 * Runs an upload in one of this process's upload slots (`UPLOADS_AT_ONCE`), because each upload holds a temporary file
 * and a decoder. Admins have slots of their own, so that other users cannot block spec uploads, and one user gets at
 * most half of the slots. Throws `unavailable` with `Retry-After` when none is free; the body is then still read to its
 * end, so that the client reads the response.
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
