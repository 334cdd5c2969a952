import { type ApiResponse, excerpt } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';

const passing = [500, 502, 503, 504];

/**
 * Calls the API like a careful client: retries until there is a definite response. Calls that create something must
 * send the same Idempotency-Key each time. Throws if the response is unexpected, or if none arrives within the time
 * limit of `poll`.
 */
export async function careful(
  what: string,
  expected: number[],
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const response = await poll(
    what,
    async () => {
      const given = await call();
      return passing.includes(given.status) ? undefined : given;
    },
    { everyMs: 150 },
  );
  if (expected.includes(response.status)) return response;
  throw new Error(`${what}: returned ${response.status} ${excerpt(response)}`);
}
