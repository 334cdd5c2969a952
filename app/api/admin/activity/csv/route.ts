import { methods, route } from '@/lib/http/route';
import { activityCsvStream } from '@/lib/activity/activity-csv';
import { activityCsv, activityFilters } from '@/lib/activity/schema';
import { logError } from '@/lib/log/log-error';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'admin',
    summary: 'Returns the events of the audit log that match the filters as CSV.',
    docs: { media: 'text/csv', file: true },
    rate: 'costly',
    query: activityFilters,
    status: 200,
    response: activityCsv,
    respond: (csv) =>
      new Response(csv, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="activity.csv"',
          'cache-control': 'private, no-store',
        },
      }),
    handle: ({ query, log }) =>
      activityCsvStream(query, (error) => logError(log, error, 'download of the activity failed')),
  }),
});
