import { methods, route } from '@/lib/http/route';
import { specParams } from '@/lib/specs/schema';
import { sectionsAsCsv } from '@/lib/specs/sections/read-sections';
import { sectionsCsv } from '@/lib/specs/sections/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns the sections of a spec as CSV.',
    docs: { codes: ['not_found'], media: 'text/csv', file: true },
    params: specParams,
    status: 200,
    response: sectionsCsv,
    respond: (csv) =>
      new Response(csv, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="sections.csv"',
          'cache-control': 'private, no-store',
        },
      }),
    handle: ({ caller, params }) => sectionsAsCsv(caller.db, params.id),
  }),
});
