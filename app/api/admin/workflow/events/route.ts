import { methods, route } from '@/lib/http/route';
import { listEvents } from '@/lib/workflow-events/list-events';
import { eventsResponse, listEventsQuery } from '@/lib/workflow-events/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the triggers sent to the workflow service and the callbacks received, newest first.',
    query: listEventsQuery,
    status: 200,
    response: eventsResponse,
    handle: ({ query }) => listEvents(query),
  }),
});
