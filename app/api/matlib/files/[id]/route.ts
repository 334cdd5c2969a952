import { methods, route } from '@/lib/http/route';
import { getFiles } from '@/lib/matlib/get-files';
import { getLibrary } from '@/lib/matlib/get-library';
import { assetParams, filesQuery, filesResponse } from '@/lib/matlib/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns the file URLs of a material, by map, resolution and format.',
    docs: { codes: ['unavailable', 'not_found'], cacheable: true },
    params: assetParams,
    query: filesQuery,
    status: 200,
    response: filesResponse,
    handle: ({ params, query }) => getFiles(getLibrary(), params.id, query),
  }),
});
