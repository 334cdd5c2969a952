import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type ExportJob, type ExportPayload, exportJob, exportStartedResponse } from '@/lib/export/schema';
import { type Api, type ApiResponse, excerpt } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';
import { unique } from '@/tests/app/support/specs';

type ElementInput = NonNullable<PageInput['elements']>[number];
export type TextInput = Extract<ElementInput, { type: 'text' }>;

/** Returns a text frame, 100 by 20 mm by default. */
export function textElement(id: string, text: string, more: Partial<TextInput> = {}): TextInput {
  const blocks: TextInput['blocks'] = [{ type: 'paragraph', runs: [{ text }] }];
  return { id, type: 'text', x: 20, y: 30, w: 100, h: 20, blocks, ...more };
}

/**
 * Returns a page with one text element. The default text is random, so that no export reuses the file of an earlier
 * export.
 */
export function onePage(text: string = randomUUID(), more: Partial<PageInput> = {}): PageInput {
  return { id: `page-${randomUUID()}`, title: 'A page', elements: [textElement('text', text)], ...more };
}

/** Returns pages that take a browser several seconds to print. Each call returns different pages. */
export function manyPages(): PageInput[] {
  const elements = Array.from({ length: 60 }, (_, n) =>
    textElement(`e${n}`, unique('Words that are set and set again, line by line'), {
      x: (n % 6) * 34,
      y: Math.floor(n / 6) * 28,
      w: 33,
      h: 27,
    }),
  );
  return Array.from({ length: 150 }, (_, n) => ({ id: `p${n}`, elements }));
}

/** Requests an export; the response is not checked. */
export function sendExport(
  api: Api,
  payload: ExportPayload,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return api('/api/export/pdf', { json: payload, headers });
}

/** Starts an export, expects it to be accepted, and returns its id. */
export async function anExport(api: Api, payload: ExportPayload): Promise<string> {
  const result = await sendExport(api, payload);
  expect(result.status, excerpt(result)).toBe(202);
  const { jobId, status } = exportStartedResponse.parse(result.body);
  expect(status).toBe('processing');
  return jobId;
}

export const cancelExport = (api: Api, jobId: string): Promise<ApiResponse> =>
  api(`/api/export/cancel/${jobId}`, { method: 'POST' });

export async function readExport(api: Api, jobId: string): Promise<ExportJob> {
  const result = await api(`/api/export/status/${jobId}`);
  expect(result.status, excerpt(result)).toBe(200);
  return exportJob.parse(result.body);
}

/** Waits until an export has finished; returns the job and the bytes of its file (none if there is no file). */
export async function waitForExport(api: Api, jobId: string) {
  const job = await poll(
    `${jobId} ends`,
    async () => {
      const found = await readExport(api, jobId);
      return found.status !== 'processing' && found;
    },
    { everyMs: 100 },
  );
  if (!job.downloadUrl) return { job, pdf: new Uint8Array() };
  const response = await fetch(job.downloadUrl);
  expect(response.status).toBe(200);
  return { job, pdf: new Uint8Array(await response.arrayBuffer()) };
}

/** Exports pages, expects success, and returns the job and its PDF. */
export async function exported(api: Api, payload: ExportPayload) {
  const result = await waitForExport(api, await anExport(api, payload));
  expect(result.job).toMatchObject({ status: 'completed', error: null });
  return result;
}

/** Returns the names of the files that an export has in storage. */
export async function filesOf(sql: Sql, jobId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'exports' and name like ${`%/${jobId}/%`}`;
  return rows.map(({ name }) => name);
}

/** Returns the state of an export's work item; `none` if there is no work item. */
export async function workOf(
  sql: Sql,
  jobId: string,
): Promise<{ state: string; attempts: number; leased: boolean }> {
  const [row] = await sql<{ state: string; attempts: number; leased: boolean }[]>`
    select state, attempts, lease_token is not null as leased from private.work_items where subject_id = ${jobId}`;
  return row ?? { state: 'none', attempts: 0, leased: false };
}
