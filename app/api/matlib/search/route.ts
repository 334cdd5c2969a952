import { methods, route } from '@/lib/http/route';
import { getLibrary } from '@/lib/matlib/get-library';
import { searchQuery, searchResponse } from '@/lib/matlib/schema';
import { searchMaterials } from '@/lib/matlib/search-materials';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Searches materials by words, type, categories and color, the best matches first.',
    docs: { codes: ['unavailable'], cacheable: true },
    rate: 'search',
    query: searchQuery,
    status: 200,
    response: searchResponse,
    handle: ({ query }) => searchMaterials(getLibrary(), query),
  }),
});
