import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PageInput } from '@/lib/document/page-model';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { exportStartedResponse } from '@/lib/export/schema';
import type { Api, ApiResponse } from '@/tests/app/support/api';
import { cancelExport, onePage, sendExport } from '@/tests/app/support/exports';
import { careful } from '@/tests/soak/careful';
import type { Ledger, UserOptions } from '@/tests/soak/options';

async function readPages(api: Api, projectId: string): Promise<ProjectDocument> {
  const response = await careful('the pages', [200], () => api(`/api/projects/${projectId}/pages`));
  return projectDocument.parse(response.body);
}

/** Saves pages once, based on the stored version. Ignores a 409, which means that another user saved first. */
async function save(api: Api, projectId: string, pages: PageInput[], text: string, ledger: Ledger) {
  const { version } = await readPages(api, projectId);
  const response: ApiResponse | null = await api(`/api/projects/${projectId}/pages`, {
    method: 'PUT',
    json: { version, pages },
  }).catch(() => null);
  if (response?.status === 200) {
    ledger.saves.push({ version: projectDocument.parse(response.body).version, text });
  } else if (!response || response.status >= 500) ledger.unansweredSaves.push(text);
  else if (response.status !== 409) throw new Error(`a save returned ${response.status} ${response.text}`);
}

/** Repeatedly saves and exports pages, and sometimes cancels the export, until the soak ends. */
export async function workOnDocuments(api: Api, projectId: string, shift: UserOptions): Promise<void> {
  const { ledger, random, goesOn } = shift;
  while (goesOn()) {
    const text = `soak ${randomUUID()}`;
    const pages = Array.from({ length: 1 + Math.floor(random() * 3) }, () => onePage(text));
    await save(api, projectId, pages, text, ledger);
    const key = { 'idempotency-key': randomUUID() };
    const started = await careful('an export', [202], () => sendExport(api, { projectId, pages }, key));
    const id = exportStartedResponse.parse(started.body).jobId;
    const cancelAsked = random() < 0.15;
    ledger.exports.push({ id, text, pages: pages.length, cancelRequested: cancelAsked });
    await sleep(random() * 1_000);
    if (cancelAsked) await careful('a cancel', [200, 409], () => cancelExport(api, id));
  }
}
