import type { PageInput } from '@/lib/document/page-model';

/** Returns `pages` pages with `tables` tables in total, each of 300 rows and 20 columns of one-character cells. */
export function tablePages(tables: number, pages: number): PageInput[] {
  const columns = Array.from({ length: 20 }, () => ({ label: 'x' }));
  const rows = Array.from({ length: 300 }, () => Array.from({ length: 20 }, () => 'x'));
  const table = { type: 'table', x: 10, y: 10, w: 190, h: 270, columns, rows } as const;
  return Array.from({ length: pages }, (_, page) => ({
    id: `p${page}`,
    elements: Array.from({ length: Math.ceil((tables - page) / pages) }, (_, n) => ({
      ...table,
      id: `t${n}`,
    })),
  }));
}
