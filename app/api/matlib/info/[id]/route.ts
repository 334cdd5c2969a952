import { methods, route } from '@/lib/http/route';
import { getInfo } from '@/lib/matlib/get-info';
import { getLibrary } from '@/lib/matlib/get-library';
import { assetParams, infoResponse } from '@/lib/matlib/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns the details of a material.',
    docs: { codes: ['unavailable', 'not_found'], cacheable: true },
    params: assetParams,
    status: 200,
    response: infoResponse,
    handle: ({ params }) => getInfo(getLibrary(), params.id),
  }),
});
