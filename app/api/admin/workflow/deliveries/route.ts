import { methods, route } from '@/lib/http/route';
import { listDeliveries } from '@/lib/event-endpoints/deliveries';
import { deliveriesResponse, listDeliveriesQuery } from '@/lib/event-endpoints/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the deliveries of events to endpoints, newest first.',
    query: listDeliveriesQuery,
    status: 200,
    response: deliveriesResponse,
    handle: ({ query }) => listDeliveries(query),
  }),
});
