import { methods, route } from '@/lib/http/route';
import { searchAnswer, searchQuery } from '@/lib/matlib/schema';
import { searchMaterials } from '@/lib/matlib/search-materials';
import { thisLibrary } from '@/lib/matlib/this-library';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Searches materials by words, type, categories and color, the best matches first.',
    docs: { codes: ['unavailable'], kept: true },
    rate: 'search',
    query: searchQuery,
    status: 200,
    response: searchAnswer,
    handle: ({ query }) => searchMaterials(thisLibrary(), query),
  }),
});
