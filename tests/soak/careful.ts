import { type Answer, excerpt } from '@/tests/app/api';
import { poll } from '@/tests/app/poll';

const passing = [500, 502, 503, 504];

/**
 * Calls as a careful client does: again until there is an answer that is one. What creates must carry the same
 * Idempotency-Key each time. Throws when the answer is another than expected, or none comes within two minutes.
 */
export async function careful(
  what: string,
  expected: number[],
  call: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await poll(
    what,
    async () => {
      const given = await call();
      return passing.includes(given.status) ? undefined : given;
    },
    { everyMs: 150 },
  );
  if (expected.includes(answer.status)) return answer;
  throw new Error(`${what}: answered ${answer.status} ${excerpt(answer)}`);
}
