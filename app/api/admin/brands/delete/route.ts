import { methods, route } from '@/lib/http/route';
import { deleteName } from '@/lib/admin/edit-names';
import { deleteNameBody } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Deletes a brand that no spec has.',
    docs: { codes: ['not_found', 'state_conflict'] },
    body: deleteNameBody,
    status: 204,
    handle: ({ body }) => deleteName('brands', body.name),
  }),
});
