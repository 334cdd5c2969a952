import { methods, route } from '@/lib/http/route';
import { listCategories } from '@/lib/matlib/list-categories';
import { categoriesAnswer, categoriesQuery } from '@/lib/matlib/schema';
import { thisLibrary } from '@/lib/matlib/this-library';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists the categories of a material type with their counts, the largest first.',
    docs: { codes: ['unavailable'], kept: true },
    query: categoriesQuery,
    status: 200,
    response: categoriesAnswer,
    handle: ({ query }) => listCategories(thisLibrary(), query),
  }),
});
