import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { specStates } from '@/tests/app/support/database';
import type { Ledger } from '@/tests/soak/options';

/**
 * Returns the error codes that a failed run may have. A run may time out only if the workflow service gave up on its
 * callback.
 */
export const reasons = (givenUp: boolean) => [
  'workflow_failed',
  'unreachable',
  ...(givenUp ? ['timeout'] : []),
];

/**
 * Expects that each accepted upload exists once with one result, and that there are no other uploads. Returns the
 * number of completed uploads.
 */
export async function expectCompleteSpecs(sql: Sql, { uploads, givenUp }: Ledger): Promise<number> {
  const sections = new Map(uploads.map((each) => [each.id, each.sections]));
  expect(sections.size).toBe(uploads.length);
  const rows = await sql<{ id: string }[]>`select id from public.spec_uploads`;
  expect(rows.map(({ id }) => id).sort()).toEqual([...sections.keys()].sort());
  const states = await specStates(sql, [...sections.keys()]);
  expect(states).toHaveLength(uploads.length);
  for (const state of states) {
    expect(['completed', 'failed'], state.id).toContain(state.spec);
    expect([state.document, state.job], state.id).toEqual([state.spec, state.spec]);
    if (state.spec === 'failed') expect(reasons(givenUp.has(state.id)), state.id).toContain(state.error_code);
    else expect(state.sections).toBe(sections.get(state.id));
  }
  const appliedTwice = await sql`
    select subject_id from private.callback_events where outcome = 'applied' group by subject_id, run having count(*) > 1`;
  expect(appliedTwice).toHaveLength(0);
  return states.filter(({ spec }) => spec === 'completed').length;
}
