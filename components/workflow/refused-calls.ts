import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import { type RefusedResponse, refusedResponse } from '@/lib/workflow-events/refused/schema';

/** Returns one page of the rejected callbacks, newest first. */
export function readRefused(cursor: string | null, signal: AbortSignal): Promise<RefusedResponse> {
  const query = new URLSearchParams(pageParams(30, cursor));
  return callApi(`/api/admin/workflow/refused?${query}`, { schema: refusedResponse, signal });
}
