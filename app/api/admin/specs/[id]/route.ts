import { methods, route } from '@/lib/http/route';
import { HttpError } from '@/lib/errors/problem';
import { deleteSpec } from '@/lib/specs/delete-specs';
import { getSpec } from '@/lib/specs/queries';
import { spec, specParams } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns a spec with its attempts and a signed URL of the PDF.',
    docs: { codes: ['not_found'] },
    params: specParams,
    status: 200,
    response: spec,
    handle: async ({ caller, params }) => {
      const found = await getSpec(caller.db, params.id);
      if (!found) throw new HttpError('not_found');
      return found;
    },
  }),
  DELETE: route({
    access: 'admin',
    summary: 'Deletes a spec with its file.',
    docs: { codes: ['not_found'] },
    params: specParams,
    status: 204,
    handle: ({ params, log }) => deleteSpec(params.id, log),
  }),
});
