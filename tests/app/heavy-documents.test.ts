import { request } from 'node:http';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '@/lib/document/schema';
import { type ApiResponse, excerpt, expectProblem } from '@/tests/app/support/api';
import { cancelExport, onePage, sendExport, waitForExport } from '@/tests/app/support/exports';
import { readPdf } from '@/tests/app/support/read-pdf';
import { makeTeam, type Team } from '@/tests/app/support/team';
import { tablePages } from '@/tests/pdf/support/heavy-pages';

const { url } = inject('atelier');
let team: Team;
beforeAll(async () => {
  team = await makeTeam();
});

/**
 * If a call blocks the event loop, at most two health checks get a response during the call: one as the call starts and
 * one as it ends. More responses show that the loop stayed free.
 */
const ENOUGH = 3;
/**
 * On a busy machine, a call can end before enough health checks get a response, so the call is repeated. If the call
 * blocks the event loop, every attempt has too few responses.
 */
const ATTEMPTS = 20;

/**
 * Makes a call and sends health checks one after another until the call ends. Repeats this until at least `ENOUGH`
 * checks get a response during one call, and returns the response to that call. Throws after `ATTEMPTS` calls.
 */
async function whileHealthy(call: (attempt: number) => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let done = false;
    const calling = call(attempt).finally(() => {
      done = true;
    });
    let checks = 0;
    while (!done) {
      expect((await fetch(`${url}/api/health`)).status).toBe(200);
      if (!done) checks += 1;
    }
    const response = await calling;
    if (checks >= ENOUGH) return response;
  }
  throw new Error(`Fewer than ${ENOUGH} health checks got a response during each of ${ATTEMPTS} calls.`);
}

describe('heavy documents', () => {
  // 96,000 cells, just below the limit of 100,000.
  const pages = tablePages(16, 16);

  test('health checks get responses while the heaviest document is saved, read, rendered and exported', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const document = `/api/projects/${team.projectId}/pages`;
    // This call starts a worker thread, so the first measured call does not have to start one.
    await api(document);
    const saved = await whileHealthy((version) => api(document, { method: 'PUT', json: { version, pages } }));
    expect(saved.status, excerpt(saved)).toBe(200);
    const read = await whileHealthy(() => api(document));
    expect(read.status).toBe(200);
    expect(read.text).toBe(saved.text);
    const drawn = await whileHealthy(() => api(`/api/export/render/${team.projectId}`));
    expect(drawn.text).toMatch(/<\/html>$/);
    const started: string[] = [];
    const sent = await whileHealthy(async () => {
      const response = await sendExport(api, { projectId: team.projectId, pages });
      started.push((response.body as { jobId: string }).jobId);
      return response;
    });
    expect(sent.status, excerpt(sent)).toBe(202);
    for (const jobId of started) await cancelExport(api, jobId);
  });

  test('health checks get responses while a document that is too heavy is refused with a message', {
    tags: ['extended'],
  }, async () => {
    const response = await whileHealthy(() =>
      sendExport(team.editor.api, { projectId: team.projectId, pages: tablePages(500, 5) }),
    );
    expect(expectProblem(response, 'invalid_request').detail).toMatch(
      /^pages: must have, over all pages, at most 100,000 table cells \(this has 3,000,000\) and /,
    );
  });
});

/** Sends the beginning of a large body and then nothing more; returns the status of the response. */
function statusOfStalled(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(`${url}${path}`, {
      method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(MAX_DOCUMENT_BYTES - 1),
      },
    });
    sending.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      sending.destroy();
    });
    sending.on('error', reject);
    sending.write('{"version": 0, "pages": [');
  });
}

test('a caller who may not change a project is refused before the body has arrived', async () => {
  const { projectId, stranger, viewer } = team;
  const pages = `/api/projects/${projectId}/pages`;
  expect(await statusOfStalled('PUT', pages, stranger.headers)).toBe(404);
  expect(await statusOfStalled('PUT', pages, viewer.headers)).toBe(403);
  expect(await statusOfStalled('POST', `/api/projects/${projectId}/members`, team.editor.headers)).toBe(403);
  expect(await statusOfStalled('POST', `${pages}/images`, stranger.headers)).toBe(404);
});

test('the pages of an export are validated only after the role of the caller is checked', async () => {
  const wrong = { projectId: team.projectId, pages: [{ id: 'p', elements: [{}] }] };
  const send = (who: 'stranger' | 'viewer' | 'editor', json: object) =>
    team[who].api('/api/export/pdf', { json });
  expectProblem(await send('stranger', wrong), 'not_found');
  expectProblem(await send('viewer', wrong), 'forbidden');
  expect(expectProblem(await send('editor', wrong), 'invalid_request').detail).toMatch(/^Page 1 “p”/);
  const { errors } = expectProblem(await send('editor', { ...wrong, projectId: 'x' }), 'invalid_request');
  expect(errors?.map(({ path }) => path)).toEqual(['projectId']);
});

test('an export without options, and a preview, use the paper of the document', {
  tags: ['extended'],
}, async () => {
  const { api } = team.owner;
  const { projectId } = team;
  const document = `/api/projects/${projectId}/pages`;
  const { version } = (await api(document)).body as { version: number };
  const page = onePage();
  const look = { format: 'letter', orientation: 'landscape' } as const;
  await api(document, { method: 'PUT', json: { version, ...look, pages: [page] } });
  const sent = await sendExport(api, { projectId, pages: [page] });
  const { job, pdf } = await waitForExport(api, (sent.body as { jobId: string }).jobId);
  expect(job).toMatchObject({ status: 'completed', pageCount: 1, options: look });
  const [sheet] = (await readPdf(pdf)).pages;
  expect([Math.round(sheet?.width ?? 0), Math.round(sheet?.height ?? 0)]).toEqual([792, 612]);
  const preview = async (query = '') => (await api(`/api/export/render/${projectId}${query}`)).text;
  expect(await preview()).toContain('@page { size: 279.4mm 215.9mm;');
  expect(await preview('?format=A4')).toContain('@page { size: 297mm 210mm;');
});

test('a misnamed export option is refused by name', async () => {
  const options = { includeCover: true };
  const result = await team.owner.api('/api/export/pdf', {
    json: { projectId: team.projectId, pages: [onePage()], options },
  });
  const { detail, errors } = expectProblem(result, 'invalid_request');
  expect(detail).toContain('options.includeCover is not known (did you mean includecover?).');
  expect(errors?.[0]?.path).toBe('options.includeCover');
});
