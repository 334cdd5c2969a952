import { methods, route } from '@/lib/http/route';
import { deleteEndpoint } from '@/lib/event-endpoints/endpoints';
import { endpointParams } from '@/lib/event-endpoints/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: route({
    access: 'admin',
    summary: 'Deletes an endpoint with its deliveries.',
    docs: { codes: ['not_found'] },
    params: endpointParams,
    status: 204,
    handle: ({ params }) => deleteEndpoint(params.id),
  }),
});
