import { methods, route } from '@/lib/http/route';
import { deleteMany } from '@/lib/specs/delete-specs';
import { deletedManyResponse, deleteManyBody } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Deletes up to 500 specs with their files.',
    body: deleteManyBody,
    status: 200,
    response: deletedManyResponse,
    handle: ({ body, log }) => deleteMany(body.specUploadIds, log),
  }),
});
