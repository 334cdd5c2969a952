import { methods, route } from '@/lib/http/route';
import { importNames } from '@/lib/admin/import-names';
import { importedResponse, importNamesBody, MAX_IMPORT_BYTES } from '@/lib/admin/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary: 'Adds brands that do not exist yet.',
    body: importNamesBody,
    maxBytes: MAX_IMPORT_BYTES,
    status: 200,
    response: importedResponse,
    handle: ({ caller, body }) => importNames('brands', body.names, caller.userId),
  }),
});
