import type { PageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import { type RefusedResponse, refusedResponse } from '@/lib/workflow-events/refused/schema';

/** Returns one page of the rejected callbacks, newest first. */
export function readRefused(page: PageParams, signal: AbortSignal): Promise<RefusedResponse> {
  return callApi(`/api/admin/workflow/refused?${new URLSearchParams(page)}`, {
    schema: refusedResponse,
    signal,
  });
}
