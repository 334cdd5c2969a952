import { pageParams } from '@/hooks/pages';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import {
  type ExportJob,
  type ExportPayload,
  exportJob,
  exportStartedResponse,
  exportsResponse,
} from '@/lib/export/schema';
import { callApi } from '@/lib/http/client';

type ExportsPage = { jobs: ExportJob[]; nextCursor: string | null };

/** Returns one page of a document's exports, newest first. */
export function readExports(
  key: DocumentKey,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ExportsPage> {
  const query = new URLSearchParams({
    projectId: key.projectId,
    documentId: documentIdOf(key),
    ...pageParams(10, cursor),
  });
  return callApi(`/api/export/jobs?${query}`, { schema: exportsResponse, signal });
}

export function readExport(jobId: string): Promise<ExportJob> {
  return callApi(`/api/export/status/${jobId}`, { schema: exportJob });
}

/** Starts an export and returns the id of its job. */
export async function postExport(payload: ExportPayload, idempotencyKey: string): Promise<string> {
  const { jobId } = await callApi('/api/export/pdf', {
    method: 'POST',
    body: payload,
    schema: exportStartedResponse,
    idempotencyKey,
  });
  return jobId;
}

export function postExportCancel(jobId: string): Promise<ExportJob> {
  return callApi(`/api/export/cancel/${jobId}`, { method: 'POST', schema: exportJob });
}
