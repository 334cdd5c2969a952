import { methods, route } from '@/lib/http/route';
import { renameName } from '@/lib/admin/edit-names';
import { renameBody, renamedResponse } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Renames a brand; its specs show the new name.',
    docs: { codes: ['not_found', 'already_exists'] },
    body: renameBody,
    status: 200,
    response: renamedResponse,
    handle: ({ body }) => renameName('brands', body.name, body.newName),
  }),
});
