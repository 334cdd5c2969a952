import { methods, route } from '@/lib/http/route';
import { getFiles } from '@/lib/matlib/get-files';
import { assetParams, filesAnswer, filesQuery } from '@/lib/matlib/schema';
import { thisLibrary } from '@/lib/matlib/this-library';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns the file URLs of a material, by map, resolution and format.',
    docs: { codes: ['unavailable', 'not_found'], kept: true },
    params: assetParams,
    query: filesQuery,
    status: 200,
    response: filesAnswer,
    handle: ({ params, query }) => getFiles(thisLibrary(), params.id, query),
  }),
});
