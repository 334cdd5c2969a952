import { methods, route } from '@/lib/http/route';
import { specParams } from '@/lib/specs/schema';
import { saveSections } from '@/lib/specs/sections/change-sections';
import { readSections } from '@/lib/specs/sections/read-sections';
import {
  changedSections,
  MAX_SECTIONS_BYTES,
  saveSectionsBody,
  sectionsResponse,
} from '@/lib/specs/sections/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns the sections of a spec.',
    docs: { codes: ['not_found'] },
    params: specParams,
    status: 200,
    response: sectionsResponse,
    handle: ({ caller, params }) => readSections(caller.db, params.id),
  }),
  PUT: route({
    access: 'admin',
    summary: 'Replaces the sections of a spec with corrected ones.',
    docs: { codes: ['not_found', 'state_conflict'] },
    params: specParams,
    body: saveSectionsBody,
    maxBytes: MAX_SECTIONS_BYTES,
    status: 200,
    response: changedSections,
    handle: ({ params, body }) => saveSections(params.id, body),
  }),
});
