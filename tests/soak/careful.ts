import { type ApiResponse, excerpt } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';

const passing = [500, 502, 503, 504];

/**
 * Repeats an API call, as a careful client does, until there is a definite response. A call that creates something must
 * send the same Idempotency-Key each time. Throws an error if the response is unexpected, or if no definite response
 * arrives within the time limit of `poll`.
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
