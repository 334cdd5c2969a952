import { methods, route } from '@/lib/http/route';
import { getInfo } from '@/lib/matlib/get-info';
import { assetParams, infoAnswer } from '@/lib/matlib/schema';
import { thisLibrary } from '@/lib/matlib/this-library';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Returns the details of a material.',
    docs: { codes: ['unavailable', 'not_found'], kept: true },
    params: assetParams,
    status: 200,
    response: infoAnswer,
    handle: ({ params }) => getInfo(thisLibrary(), params.id),
  }),
});
