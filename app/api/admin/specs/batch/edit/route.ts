import { methods, route } from '@/lib/http/route';
import { editMany } from '@/lib/specs/edit-many';
import { editedManyResponse, editManyBody } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Changes the brand, area or property of up to 500 specs, which are not processed again.',
    docs: { codes: ['unknown_brand', 'unknown_area'] },
    body: editManyBody,
    status: 200,
    response: editedManyResponse,
    handle: ({ body }) => editMany(body),
  }),
});
