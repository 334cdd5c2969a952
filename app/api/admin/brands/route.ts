import { methods, route } from '@/lib/http/route';
import { createName } from '@/lib/admin/create-name';
import { listBrands } from '@/lib/admin/queries';
import { brandsResponse, createdName, createNameBody } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists the brand names.',
    status: 200,
    response: brandsResponse,
    handle: async ({ caller }) => ({ brands: await listBrands(caller.db) }),
  }),
  POST: route({
    access: 'admin',
    summary: 'Creates a brand.',
    docs: { codes: ['already_exists'] },
    idempotent: true,
    body: createNameBody,
    status: 201,
    response: createdName,
    location: () => '/api/admin/brands',
    handle: ({ caller, body, idempotency }) =>
      createName('brands', { name: body.name, userId: caller.userId, idempotency }),
  }),
});
