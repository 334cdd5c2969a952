import { createClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { readPdf } from '@/tests/app/support/read-pdf';
import type { Ledger } from '@/tests/soak/options';

type Row = {
  id: string;
  status: string;
  error_code: string | null;
  page_count: number | null;
  result_path: string | null;
  files: string[];
};

/**
 * Expects that each accepted export exists once and has finished, that each completed one has a single file with the
 * requested pages and text, and that the others have no file. Returns the number of completed exports.
 */
export async function expectCompleteExports(
  sql: Sql,
  env: Record<string, string>,
  { exports }: Ledger,
): Promise<number> {
  const rows = await sql<Row[]>`
    select j.id, j.status, j.error_code, j.page_count, j.result_path,
           array(select o.bucket_id || '/' || o.name from storage.objects o
                  where o.bucket_id = 'exports' and position(j.id::text in o.name) > 0) as files
      from public.export_jobs j`;
  expect(rows.map(({ id }) => id).sort()).toEqual(exports.map(({ id }) => id).sort());
  const { storage } = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '');
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, text, pages, cancelRequested: cancelAsked } of exports) {
    const row = byId.get(id);
    if (row?.status === 'completed') {
      expect(row.files, id).toEqual([row.result_path]);
      const { data, error } = await storage
        .from('exports')
        .download((row.result_path ?? '').replace(/^exports\//, ''));
      if (error) throw error;
      const read = await readPdf(new Uint8Array(await data.arrayBuffer()));
      expect(read.pages, id).toHaveLength(pages);
      expect(row.page_count, id).toBe(pages);
      for (const page of read.pages) expect(page.text, id).toContain(text);
    } else {
      expect(row?.files, id).toEqual([]);
      if (row?.status === 'canceled') expect(cancelAsked, id).toBe(true);
      else expect(row?.status, id).toBe('failed');
    }
  }
  return rows.filter(({ status }) => status === 'completed').length;
}
