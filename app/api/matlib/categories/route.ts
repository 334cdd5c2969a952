import { methods, route } from '@/lib/http/route';
import { getLibrary } from '@/lib/matlib/get-library';
import { listCategories } from '@/lib/matlib/list-categories';
import { categoriesQuery, categoriesResponse } from '@/lib/matlib/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists the categories of a material type with their counts, the largest first.',
    docs: { codes: ['unavailable'], cacheable: true },
    query: categoriesQuery,
    status: 200,
    response: categoriesResponse,
    handle: ({ query }) => listCategories(getLibrary(), query),
  }),
});
