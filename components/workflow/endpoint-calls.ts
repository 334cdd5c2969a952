import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import {
  type ChangeEndpointBody,
  type CreatedEndpoint,
  type CreateEndpointBody,
  createdEndpoint,
  deliveriesResponse,
  endpointsResponse,
  resumedResponse,
  sentAgainResponse,
} from '@/lib/event-endpoints/schema';
import { callApi } from '@/lib/http/client';

const path = '/api/admin/workflow';

export async function readEndpoints(signal: AbortSignal) {
  return (await callApi(`${path}/endpoints`, { schema: endpointsResponse, signal })).endpoints;
}

/** Adds an endpoint. No other response contains the endpoint's secret. */
export function createEndpoint(body: CreateEndpointBody): Promise<CreatedEndpoint> {
  return callApi(`${path}/endpoints`, { method: 'POST', body, schema: createdEndpoint });
}

export async function changeEndpoint(id: string, body: ChangeEndpointBody): Promise<void> {
  await callApi(`${path}/endpoints/${id}`, { method: 'PATCH', body, schema: z.undefined() });
}

export async function deleteEndpoint(id: string): Promise<void> {
  await callApi(`${path}/endpoints/${id}`, { method: 'DELETE', schema: z.undefined() });
}

/** Resumes a paused endpoint. Returns the number of deliveries that were queued for it. */
export async function resumeEndpoint(id: string): Promise<number> {
  const response = await callApi(`${path}/endpoints/${id}/resume`, {
    method: 'POST',
    schema: resumedResponse,
  });
  return response.queued;
}

/**
 * Returns one page of deliveries, newest first. If `trouble` is true, returns only those that failed, are held or are
 * being retried.
 */
export function readDeliveries(trouble: boolean, cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams({ ...pageParams(30, cursor), trouble: String(trouble) });
  return callApi(`${path}/deliveries?${query}`, { schema: deliveriesResponse, signal });
}

export async function sendDeliveryAgain(id: string): Promise<void> {
  await callApi(`${path}/deliveries/${id}/send`, { method: 'POST', schema: sentAgainResponse });
}
