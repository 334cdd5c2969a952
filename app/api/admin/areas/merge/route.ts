import { methods, route } from '@/lib/http/route';
import { mergeNames } from '@/lib/admin/edit-names';
import { mergeBody, mergedResponse } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Moves the specs of an area type to another one and deletes it.',
    docs: { codes: ['not_found', 'unknown_area'] },
    body: mergeBody,
    status: 200,
    response: mergedResponse,
    handle: ({ body }) => mergeNames('areas', body.name, body.into),
  }),
});
