import { callApi } from '@/lib/http/client';
import { type RefusedAnswer, refusedAnswer } from '@/lib/workflow/refused/schema';

/** Returns one page of the refused callbacks, newest first. */
export function readRefused(limit: number, signal: AbortSignal): Promise<RefusedAnswer> {
  return callApi(`/api/admin/workflow/refused?limit=${limit}`, { schema: refusedAnswer, signal });
}
