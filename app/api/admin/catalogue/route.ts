import { methods, route } from '@/lib/http/route';
import { listCatalogue } from '@/lib/admin/queries';
import { catalogueResponse } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Lists the brand names and area type names with the number of specs each.',
    status: 200,
    response: catalogueResponse,
    handle: () => listCatalogue(),
  }),
});
