import { methods, route } from '@/lib/http/route';
import { createEndpoint } from '@/lib/event-endpoints/create-endpoint';
import { listEndpoints } from '@/lib/event-endpoints/endpoints';
import { createdEndpoint, createEndpointBody, endpointsResponse } from '@/lib/event-endpoints/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the endpoints that get events, without their secrets and header values.',
    status: 200,
    response: endpointsResponse,
    handle: async () => ({ endpoints: await listEndpoints() }),
  }),
  POST: route({
    access: 'admin',
    summary: 'Adds an endpoint that gets events, and returns its signing secret once.',
    docs: { codes: ['state_conflict'] },
    body: createEndpointBody,
    status: 201,
    response: createdEndpoint,
    location: () => '/api/admin/workflow/endpoints',
    handle: ({ body }) => createEndpoint(body),
  }),
});
