import { methods, route } from '@/lib/http/route';
import { cacheable } from '@/lib/http/cacheable';
import { readStandard } from '@/lib/specs/standards/read-standard';
import {
  standardParams,
  standardSectionsQuery,
  standardSectionsResponse,
} from '@/lib/specs/standards/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Returns the sections of a brand standard in order, in pages.',
    docs: { codes: ['not_found'], cacheable: true },
    params: standardParams,
    query: standardSectionsQuery,
    status: 200,
    response: standardSectionsResponse,
    handle: async ({ params, query }) =>
      cacheable(Object.freeze(await readStandard(params.specUploadId, query)), {
        'cache-control': 'private, no-cache',
      }),
  }),
});
