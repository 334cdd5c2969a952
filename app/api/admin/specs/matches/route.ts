import { methods, route } from '@/lib/http/route';
import { matchSpecs } from '@/lib/specs/match-specs';
import { matchBody, matchResponse } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Finds, for up to 100 files to upload, the specs that they are probably newer versions of.',
    rate: 'search',
    body: matchBody,
    status: 200,
    response: matchResponse,
    handle: async ({ body }) => ({ matches: await matchSpecs(body.files) }),
  }),
});
