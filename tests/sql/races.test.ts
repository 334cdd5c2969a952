import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../setup/database';
import { claimFor, makeSpec, specState } from './support/make-spec';

const title =
  'in %i rounds, concurrent callbacks, dispatches, single and bulk retries, reaps and deletions cause no deadlock and no inconsistent record';

async function race(rounds: number): Promise<void> {
  const { sql, drop } = await createTestDatabase();
  onTestFinished(drop);
  const left: string[] = [];
  let applied = 0;
  for (let round = 0; round < rounds; round++) {
    const id = await makeSpec(sql);
    const item = await claimFor(sql, id);
    const lease = [item.id, item.lease_token] as const;
    const late = round % 3 === 0 ? new Date(Date.now() - 1000) : new Date(Date.now() + 60_000);
    const moves = [
      () => sql`select public.work_dispatched(${lease[0]}, ${lease[1]}, ${late})`,
      () => sql`select public.apply_spec_callback(${id}, 'completed', 1, 3) as answer`,
      () => sql`select public.apply_spec_callback(${id}, 'failed', 1, null, 'no') as answer`,
      () => sql`select public.work_reap()`,
      () => sql`select public.retry_spec(${id})`,
      () => sql`select public.retry_specs(null, ${[...left.slice(-3), id]})`,
      ...(round % 5 === 0 ? [() => sql`select public.delete_specs(${[id]})`] : []),
    ].sort(() => Math.random() - 0.5);
    const results = await Promise.all(moves.map((move) => move()));
    const outcomes = results.flat().map((row) => row.answer?.outcome);
    applied += outcomes.filter((outcome) => outcome === 'applied').length;
    if (round % 5 !== 0) {
      left.push(id);
      expect(outcomes.filter((outcome) => outcome === 'applied').length).toBeLessThanOrEqual(2);
    }
  }
  expect(applied).toBeGreaterThan(rounds / 2);
  for (const id of left) {
    const state = await specState(sql, id);
    expect(state.document).toBe(state.status);
    expect(state.job).toBe(state.status);
    // A spec has open work if and only if it is pending.
    expect(state.work === 'pending').toBe(state.status === 'pending');
  }
  expect(
    await sql`select 1 from private.work_items w where not exists (
      select 1 from public.spec_uploads s where w.subject_id in (s.id, s.document_id))`,
  ).toHaveLength(0);
}

test.each([50])(title, race);
test.each([250])(title, { tags: ['extended'] }, race);
