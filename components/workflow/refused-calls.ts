import { callApi } from '@/lib/http/client';
import { type RefusedResponse, refusedResponse } from '@/lib/workflow/refused/schema';

/** Returns one page of the refused callbacks, newest first. */
export function readRefused(limit: number, signal: AbortSignal): Promise<RefusedResponse> {
  return callApi(`/api/admin/workflow/refused?limit=${limit}`, { schema: refusedResponse, signal });
}
