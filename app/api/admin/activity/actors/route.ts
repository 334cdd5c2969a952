import { methods, route } from '@/lib/http/route';
import { listActors } from '@/lib/activity/queries';
import { actorsResponse } from '@/lib/activity/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the people and services that have events in the audit log.',
    status: 200,
    response: actorsResponse,
    handle: () => listActors(),
  }),
});
