import { methods, route } from '@/lib/http/route';
import { changeEndpoint, deleteEndpoint } from '@/lib/event-endpoints/endpoints';
import { changeEndpointBody, endpointParams } from '@/lib/event-endpoints/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    access: 'admin',
    summary: 'Changes the name, the events or the header of an endpoint.',
    docs: { codes: ['not_found'] },
    params: endpointParams,
    body: changeEndpointBody,
    status: 204,
    handle: ({ params, body }) => changeEndpoint(params.id, body),
  }),
  DELETE: route({
    access: 'admin',
    summary: 'Deletes an endpoint with its deliveries.',
    docs: { codes: ['not_found'] },
    params: endpointParams,
    status: 204,
    handle: ({ params }) => deleteEndpoint(params.id),
  }),
});
