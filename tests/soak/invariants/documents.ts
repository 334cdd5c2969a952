import type { Sql } from 'postgres';
import { expect } from 'vitest';
import type { Ledger } from '@/tests/soak/options';

/**
 * Expects that each successful save got its own version, and that the stored pages are those of the newest successful
 * save or of a save whose outcome is unknown.
 */
export async function expectCompletePages(sql: Sql, projectId: string, ledger: Ledger): Promise<void> {
  const { saves, unansweredSaves } = ledger;
  const versions = saves.map(({ version }) => version);
  expect(new Set(versions).size).toBe(saves.length);
  const [row] = await sql<{ version: number; pages: string }[]>`
    select version, pages::text as pages from public.project_pages where id = ${projectId}`;
  const newest = saves.toSorted((a, b) => a.version - b.version).at(-1);
  expect(row?.version).toBeGreaterThanOrEqual(newest?.version ?? 0);
  expect(row?.version).toBeLessThanOrEqual(saves.length + unansweredSaves.length);
  const mayStand = row?.version === newest?.version ? [newest?.text ?? ''] : unansweredSaves;
  expect(mayStand.some((text) => row?.pages.includes(text))).toBe(true);
}
