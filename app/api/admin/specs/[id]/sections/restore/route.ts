import { methods, route } from '@/lib/http/route';
import { specParams } from '@/lib/specs/schema';
import { restoreSections } from '@/lib/specs/sections/change-sections';
import { changedSections, restoreSectionsBody } from '@/lib/specs/sections/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Replaces the corrected sections of a spec with the original ones.',
    docs: { codes: ['not_found', 'state_conflict'] },
    params: specParams,
    body: restoreSectionsBody,
    status: 200,
    response: changedSections,
    handle: ({ params, body }) => restoreSections(params.id, body.version),
  }),
});
