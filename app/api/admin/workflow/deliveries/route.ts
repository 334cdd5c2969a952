import { listDeliveries } from '@/lib/event-endpoints/deliveries';
import { deliveriesResponse, listDeliveriesQuery } from '@/lib/event-endpoints/schema';
import { methods, route } from '@/lib/http/route';

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
