import { methods, route } from '@/lib/http/route';
import { createName } from '@/lib/admin/create-name';
import { listAreas } from '@/lib/admin/queries';
import { areasResponse, createdName, createNameBody } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists the area type names.',
    status: 200,
    response: areasResponse,
    handle: async ({ caller }) => ({ areas: await listAreas(caller.db) }),
  }),
  POST: route({
    access: 'admin',
    summary: 'Creates an area type.',
    docs: { codes: ['already_exists'] },
    idempotent: true,
    body: createNameBody,
    status: 201,
    response: createdName,
    location: () => '/api/admin/areas',
    handle: ({ caller, body, idempotency }) =>
      createName('areas', { name: body.name, userId: caller.userId, idempotency }),
  }),
});
