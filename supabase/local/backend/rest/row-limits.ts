import type { PostgresConnection } from '@supabase/lite/postgres';

export type RowLimits = {
  isCall: boolean;
  /** Whether a write or POST function call must return exactly one row, because the client accepts only one object. */
  one: boolean;
  /** Maximum number of rows that a function may return. */
  most: number;
};

/** Thrown to roll back the transaction of a request. Carries the response to send. */
class Refused<Result> extends Error {
  readonly result: Result;
  constructor(result: Result) {
    super('The number of rows is refused.');
    this.result = result;
  }
}

/** Returns the limits that the headers of a REST request set, or undefined if they set none. */
export function rowLimits({ method, url, headers }: Request): RowLimits | undefined {
  const isCall = new URL(url).pathname.startsWith('/rest/v1/rpc/');
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const one = isWrite && (headers.get('accept')?.includes('application/vnd.pgrst.object') ?? false);
  const prefer = headers.get('prefer') ?? '';
  const isStrict = isCall && /\bhandling=strict\b/.test(prefer);
  const most = isStrict ? Number(/\bmax-affected=(\d+)/.exec(prefer)?.[1] ?? Infinity) : Infinity;
  return one || most < Infinity ? { isCall, one, most } : undefined;
}

function refusal(status: number, code: string, message: string, rows: string): Response {
  return Response.json({ code, details: rows, hint: null, message }, { status });
}

/**
 * Returns the error response to a write or function call with the wrong number of rows, or undefined if the number is
 * right. By itself, lite accepts any number of rows in a write whose `select` embeds another table, and ignores
 * `max-affected` in a function call.
 */
async function refused(response: Response, { isCall, one, most }: RowLimits): Promise<Response | undefined> {
  if (response.status === 406 && one) return response;
  const isArray = response.headers.get('content-type')?.startsWith('application/json');
  if (!response.ok || !isArray || (isCall && most === Infinity)) return undefined;
  const text = await response.clone().text();
  if (!text.startsWith('[')) return undefined;
  const { length } = JSON.parse(text) as unknown[];
  if (!isCall && length !== 1) {
    const message = 'Cannot coerce the result to a single JSON object';
    return refusal(406, 'PGRST116', message, `The result contains ${length} rows`);
  }
  if (isCall && length > most) {
    const message = 'Query result exceeds max-affected preference constraint';
    return refusal(400, 'PGRST124', message, `The query affects ${length} rows`);
  }
  return undefined;
}

/** Rolls back a write or function call with the wrong number of rows, as PostgREST does. lite alone would commit it. */
export function limitRows(connection: PostgresConnection, limits: () => RowLimits | undefined): void {
  const withContext = connection.withContext.bind(connection);
  connection.withContext = (vars, work, more) =>
    withContext(
      vars,
      async (db) => {
        const result = await work(db);
        const set = limits();
        const error = set && result instanceof Response ? await refused(result, set) : undefined;
        if (error) throw new Refused(error);
        return result;
      },
      more,
    ).catch((error: unknown) => {
      if (error instanceof Refused) return error.result;
      throw error;
    });
}
