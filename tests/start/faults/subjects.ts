import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { projectDocument } from '@/lib/document/schema';
import { type ExportPayload, exportStartedResponse } from '@/lib/export/schema';
import { jobStartedResponse } from '@/lib/image-gen/schema';
import { projectImage } from '@/lib/projects/schema';
import { uploadResponse } from '@/lib/specs/schema';
import { imageStates, specStates } from '@/tests/app/support/database';
import { anExport, cancelExport, filesOf, onePage, sendExport } from '@/tests/app/support/exports';
import { cancelJob, retryJob, sendJob, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { addImage, picture, sendImage } from '@/tests/app/support/pictures';
import { sendUpload, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import type { Mode } from '@/tests/fakes/workflow/modes';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { careful } from '@/tests/soak/careful';
import type { Harness } from '@/tests/start/faults/product';

/** The target of a fault: work that was accepted or is being requested. */
export type Subject = {
  /** Each request at which the subject may be held contains one of these in its path or body. */
  markers: string[];
  /**
   * Sends the client's request that brings the subject to its step, and repeats it unchanged until there is a definite
   * response. Undefined if no such request is needed.
   */
  ask?: () => Promise<void>;
  /** Expects that the subject has finished correctly and, unless it was deleted, exists once. */
  check: () => Promise<void>;
};
/** Creates a subject of one kind, with everything that must exist before the fault. */
export type Kind = (harness: Harness) => Promise<Subject>;

const newKey = () => ({ 'idempotency-key': randomUUID() });

async function expectSpec({ sql }: Harness, id: string, run = 1): Promise<void> {
  const done = { spec: 'completed', document: 'completed', job: 'completed', work: 'done' };
  expect(await specStates(sql, [id])).toEqual([
    { id, run, ...done, sections: 2, error: null, error_code: null },
  ]);
  const [row] = await sql<{ jobs: number; items: number; files: number }[]>`
    select (select count(*)::int from public.upload_jobs where spec_upload_id = ${id}) as jobs,
           (select count(*)::int from private.work_items where subject_id = ${id}) as items,
           (select count(*)::int from storage.objects where bucket_id = 'specs' and position(${id} in name) > 0) as files`;
  expect({ ...row }).toEqual({ jobs: run, items: run, files: 1 });
}

async function expectJob({ sql }: Harness, id: string, run = 1): Promise<void> {
  const [state] = await imageStates(sql, [id]);
  expect(state).toMatchObject({ run, job: 'succeeded', ran: 'succeeded', work: 'done', error_code: null });
  const names = state?.variants.map(({ variant_id }) => variant_id);
  expect(names).toEqual([1, 2, 3, 4].map((n) => `r${run}-v${n}`));
}

/**
 * Expects that an export is completed and has its file. Ignores files that interrupted attempts have stored, because
 * the sweep removes them later.
 */
async function expectExport({ sql }: Harness, id: string): Promise<void> {
  const [job] = await sql<{ status: string; result_path: string }[]>`
    select status, result_path from public.export_jobs where id = ${id}`;
  expect(job).toMatchObject({ status: 'completed' });
  expect((await filesOf(sql, id)).map((name) => `exports/${name}`)).toContain(job?.result_path);
}

/**
 * Returns the markers of a subject: its id, and the argument `p_id` with the id of its work item. Requests to the queue
 * contain this argument instead of the subject's id.
 */
async function markersOf({ sql }: Harness, id: string): Promise<string[]> {
  const [item] = await sql<{ id: string }[]>`select id from private.work_items where subject_id = ${id}`;
  return [id, `"p_id":${item?.id},`];
}

export const newSpec: Kind = async (harness) => {
  const { api, sql, ledger } = harness;
  const fileName = `${randomUUID()}.pdf`;
  const [key, file] = [newKey(), await makePdf({ sections: 2 })];
  let id = '';
  return {
    markers: [fileName],
    async ask() {
      const response = await careful('the upload', [202], () => sendUpload(api, { file, fileName }, key));
      id = uploadResponse.parse(response.body).specUploadId;
      ledger.uploads.push({ id, sections: 2 });
    },
    async check() {
      const rows = await sql<{ id: string }[]>`
        select s.id from public.spec_uploads s join public.documents d on d.id = s.document_id
         where d.file_name = ${fileName}`;
      expect(rows.map((row) => row.id)).toEqual([id]);
      await expectSpec(harness, id);
    },
  };
};

/** Creates a spec that was accepted and is waiting to be claimed. */
export const waitingSpec: Kind = async (harness) => {
  const id = await upload(harness.api);
  harness.ledger.uploads.push({ id, sections: 2 });
  return { markers: await markersOf(harness, id), check: () => expectSpec(harness, id) };
};

export const retriedSpec: Kind = async (harness) => {
  const { api, ledger } = harness;
  const id = await upload(api, { propertyName: 'Hotel [refuse-once]' });
  ledger.uploads.push({ id, sections: 2 });
  await waitForStatus(api, id, 'failed');
  return {
    markers: [id],
    async ask() {
      // If an earlier try succeeded, the spec is no longer failed, and this try gets 409.
      const retry = () => api('/api/admin/specs/retry', { json: { specUploadId: id } });
      await careful('the retry', [202, 409], retry);
    },
    check: () => expectSpec(harness, id, 2),
  };
};

export const deletedSpec: Kind = async ({ api, sql }) => {
  const id = await upload(api);
  await waitForStatus(api, id, 'completed');
  return {
    markers: [id],
    async ask() {
      await careful('the deletion', [204, 404], () => api(`/api/admin/specs/${id}`, { method: 'DELETE' }));
    },
    async check() {
      expect(await specStates(sql, [id])).toEqual([]);
    },
  };
};

export const newPicture: Kind = async ({ api, sql }) => {
  const [projectId, file, key] = [await makeProject(api), await picture(), randomUUID()];
  let id = '';
  return {
    markers: [projectId],
    async ask() {
      const send = () => sendImage(api, projectId, file, { key });
      id = projectImage.parse((await careful('the picture', [201], send)).body).id;
    },
    async check() {
      const rows = await sql<{ id: string; files: number }[]>`
        select id, (select count(*)::int from storage.objects o where 'images/' || o.name = i.storage_path) as files
          from public.document_images i where project_id = ${projectId}`;
      expect(rows.map((row) => ({ ...row }))).toEqual([{ id, files: 1 }]);
    },
  };
};

export const newJob: Kind = async (harness) => {
  const { api, sql, projectId, ledger } = harness;
  const [prompt, key] = [`A lobby ${randomUUID()}`, newKey()];
  let id = '';
  return {
    markers: [prompt],
    async ask() {
      const response = await careful('the job', [202], () => sendJob(api, { projectId, prompt }, key));
      id = jobStartedResponse.parse(response.body).jobId;
      ledger.jobs.push({ id, runs: 1, cancelRequested: false });
    },
    async check() {
      const rows = await sql<{ id: string }[]>`select id from public.image_jobs where prompt = ${prompt}`;
      expect(rows.map((row) => row.id)).toEqual([id]);
      await expectJob(harness, id);
    },
  };
};

/** Creates an image job that was accepted and is waiting to be claimed. */
export const waitingJob: Kind = async (harness) => {
  const { api, projectId, ledger } = harness;
  const id = await startJob(api, { projectId, prompt: 'A lobby' });
  ledger.jobs.push({ id, runs: 1, cancelRequested: false });
  return { markers: await markersOf(harness, id), check: () => expectJob(harness, id) };
};

export const refinedJob: Kind = async (harness) => {
  const { api, sql, projectId, ledger } = harness;
  const [id, key] = [await startJob(api, { projectId, prompt: 'A lobby [refuse-once]' }), newKey()];
  ledger.jobs.push({ id, runs: 2, cancelRequested: false });
  await waitForJob(api, id, 'failed');
  return {
    markers: [id],
    async ask() {
      const json = { jobId: id, prompt: 'Warmer' };
      await careful('the message', [202], () => api('/api/image-gen/messages', { json, headers: key }));
    },
    async check() {
      const messages = await sql`select 1 from public.image_messages where job_id = ${id}`;
      expect(messages).toHaveLength(2);
      await expectJob(harness, id, 2);
    },
  };
};

export const retriedJob: Kind = async (harness) => {
  const { api, projectId, ledger } = harness;
  const id = await startJob(api, { projectId, prompt: 'A lobby [refuse-once]' });
  ledger.jobs.push({ id, runs: 2, cancelRequested: false });
  await waitForJob(api, id, 'failed');
  return {
    markers: [id],
    async ask() {
      await careful('the retry', [202, 409], () => retryJob(api, id));
    },
    check: () => expectJob(harness, id, 2),
  };
};

export const canceledJob: Kind = async ({ api, sql, projectId, ledger }) => {
  const id = await startJob(api, { projectId, prompt: 'A lobby [silent]' });
  ledger.jobs.push({ id, runs: 1, cancelRequested: true });
  await waitForJob(api, id, 'running');
  return {
    markers: [id],
    async ask() {
      await careful('the cancellation', [200], () => cancelJob(api, id));
    },
    async check() {
      const [state] = await imageStates(sql, [id]);
      expect(state).toMatchObject({ run: 1, job: 'canceled', ran: 'canceled', variants: [] });
    },
  };
};

export const savedPages: Kind = async ({ api, sql }) => {
  const [projectId, uniqueText] = [await makeProject(api), randomUUID()];
  return {
    markers: [projectId],
    async ask() {
      const json = projectDocument.parse({ version: 0, pages: [onePage(uniqueText)] });
      // If an earlier try succeeded, the version has changed, and this try gets 409.
      const save = () => api(`/api/projects/${projectId}/pages`, { method: 'PUT', json });
      await careful('the save', [200, 409], save);
    },
    async check() {
      const rows = await sql<{ version: number; pages: string }[]>`
        select version, pages::text as pages from public.project_pages where id = ${projectId}`;
      expect(rows).toMatchObject([{ version: 1, pages: expect.stringContaining(uniqueText) }]);
    },
  };
};

export const newExport: Kind = async (harness) => {
  const { api, sql, projectId, ledger } = harness;
  const [uniqueText, key] = [randomUUID(), newKey()];
  const payload: ExportPayload = { projectId, pages: [onePage(uniqueText)] };
  let id = '';
  return {
    markers: [uniqueText],
    async ask() {
      const response = await careful('the export', [202], () => sendExport(api, payload, key));
      id = exportStartedResponse.parse(response.body).jobId;
      ledger.exports.push({ id, text: uniqueText, pages: 1, cancelRequested: false });
    },
    async check() {
      const rows = await sql<{ id: string }[]>`
        select id from public.export_jobs where position(${uniqueText} in snapshot::text) > 0`;
      expect(rows.map((row) => row.id)).toEqual([id]);
      await expectExport(harness, id);
    },
  };
};

/** Creates an export that was accepted and is waiting to be claimed. Its only page has a new image. */
export const waitingExport: Kind = async (harness) => {
  const { api, projectId, ledger } = harness;
  const [uniqueText, { id: imageId, path }] = [randomUUID(), await addImage(api, projectId)];
  const page = onePage(uniqueText);
  const image = { id: 'i', type: 'image', x: 20, y: 60, w: 64, h: 48, imageId } as const;
  const id = await anExport(api, {
    projectId,
    pages: [{ ...page, elements: [...(page.elements ?? []), image] }],
  });
  ledger.exports.push({ id, text: uniqueText, pages: 1, cancelRequested: false });
  const imageKey = path.slice('images/'.length);
  return { markers: [...(await markersOf(harness, id)), imageKey], check: () => expectExport(harness, id) };
};

export const canceledExport: Kind = async (harness) => {
  const { api, sql, projectId, ledger } = harness;
  const uniqueText = randomUUID();
  const id = await anExport(api, { projectId, pages: [onePage(uniqueText)] });
  ledger.exports.push({ id, text: uniqueText, pages: 1, cancelRequested: true });
  let isCanceled = false;
  return {
    markers: [id],
    async ask() {
      // If the export is completed before a try cancels it, the next try gets 409.
      const { status } = await careful('the cancellation', [200, 409], () => cancelExport(api, id));
      isCanceled = status === 200;
    },
    async check() {
      if (!isCanceled) return expectExport(harness, id);
      const rows = await sql`select status from public.export_jobs where id = ${id}`;
      expect(rows).toMatchObject([{ status: 'canceled' }]);
      expect(await filesOf(sql, id)).toEqual([]);
    },
  };
};

/** Sets how the fake workflow service responds to the next tries of a spec or an image job, with one mode per try. */
export async function scriptWorkflow(
  { product }: Harness,
  match: { spec_upload_id: string } | { job_id: string },
  script: Mode[],
): Promise<void> {
  const response = await fetch(`${product.workflowUrl}/control`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ match, script }),
  });
  expect(response.status).toBe(200);
}

/** Creates a spec and sets how the fake workflow service responds to its first tries, with one mode per try. */
export async function scriptedSpec(harness: Harness, script: Mode[]): Promise<Subject> {
  const subject = await waitingSpec(harness);
  await scriptWorkflow(harness, { spec_upload_id: subject.markers[0] ?? '' }, script);
  return subject;
}

/** Creates a spec whose first trigger gets a 500. */
export const stumblingSpec: Kind = (harness) => scriptedSpec(harness, ['broken']);
