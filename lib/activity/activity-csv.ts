import { csvLines, csvOf } from '@/lib/http/csv';
import { listActivity } from './queries';
import type { ActivityFilters, ActivityResponse } from './schema';

/** Number of events to read at a time. */
const PAGE = 500;

const header = ['time', 'actor', 'action', 'subject', 'details', 'subject id', 'request id'];

const rowsOf = ({ events }: ActivityResponse) =>
  events.map((event) => [
    new Date(event.createdAt).toISOString(),
    event.actor ?? '',
    event.action,
    event.subject ?? '',
    event.details ?? '',
    event.subjectId ?? '',
    event.requestId ?? '',
  ]);

/**
 * Streams the events that match the filters as CSV, newest first. Reads the first page before it resolves, so that a
 * database failure becomes an error response. A later failure ends the stream with an error and calls `onError`.
 */
export async function activityCsvStream(
  filters: ActivityFilters,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const first = await listActivity({ ...filters, limit: PAGE });
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from(csvOf([header, ...rowsOf(first)]));
    try {
      for (let cursor = first.nextCursor; cursor !== null; ) {
        const page = await listActivity({ ...filters, limit: PAGE, cursor });
        yield Buffer.from(csvLines(rowsOf(page)));
        cursor = page.nextCursor;
      }
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  const chunk = chunks();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunk.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunk.return(undefined);
    },
  });
}
