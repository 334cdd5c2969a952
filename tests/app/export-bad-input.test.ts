import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { exported, onePage, sendExport, textElement } from '@/tests/app/support/exports';
import { readChat, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { addImage, replaceFile, sendImage } from '@/tests/app/support/pictures';
import { readPdf } from '@/tests/app/support/read-pdf';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';
import { treeProportionalBytes, withPeak } from '@/tests/bench/process-memory';
import { blackPng } from '@/tests/fakes/workflow/bad-pictures';
import { pidOf } from '@/tests/start/support/launch';

let team: Team;
let sql: Sql;
beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
});
afterAll(() => sql.end());

const api: Team['owner']['api'] = (path, options) => team.editor.api(path, options);

/** Returns a page with these images. */
function wall(...sources: { imageId?: string; path?: string }[]): PageInput {
  const frame = { type: 'image', x: 0, y: 0, w: 50, h: 50 } as const;
  const elements = sources.map((source, n) => ({ ...frame, id: `image-${n}`, ...source }));
  return onePage('', { id: 'wall', title: 'Wall', elements });
}

describe.concurrent('an export', () => {
  test('an export prints markup as plain text', async () => {
    const hostile = '<script>document.title="x"</script><img src=x onerror=alert(1)>&amp;</style>{{7*7}}';
    const title = '</title><script>alert(1)</script>';
    const page = onePage(hostile, {
      title,
      elements: [
        textElement('t', hostile),
        {
          id: 'c',
          type: 'table',
          x: 20,
          y: 60,
          w: 160,
          h: 60,
          columns: [{ label: title }],
          rows: [[hostile]],
        },
        {
          id: 'm',
          type: 'material',
          x: 20,
          y: 120,
          w: 90,
          h: 90,
          materialId: '"><b>',
          title,
          rows: [{ label: title, value: title }],
        },
      ],
    });
    const projectId = await makeProject(team.owner.api, title);
    const { pdf } = await exported(team.owner.api, {
      projectId,
      pages: [page],
      options: { includecover: true },
    });
    const read = await readPdf(pdf);
    expect(read.title).toBe(title);
    expect(read.pages[0]?.text).toContain(title);
    expect(read.pages[1]?.text.split('{{7*7}}').length).toBe(3);
    await team.owner.api(`/api/projects/${projectId}/pages`, {
      method: 'PUT',
      json: { version: 0, pages: [page] },
    });
    const { text } = await team.owner.api(`/api/export/render/${projectId}?includecover=true`);
    expect(text).not.toMatch(/<script|<img|<b>|onerror=alert\(1\)>[^&]/i);
  });

  test('an export over a limit is refused with its page and element', async () => {
    const { projectId } = team;
    const frame = { id: 'big', x: 0, y: 0, w: 50, h: 50 };
    const table = { ...frame, type: 'table', columns: [{ label: 'a' }], rows: Array(100_000).fill(['x']) };
    const cases: [unknown, string][] = [
      [table, 'Page 1 “Wall”, table 1 “big”, rows: must have at most 300 rows.'],
      [textElement('big', 'x', { w: 1e300 }), 'Page 1 “Wall”, text 1 “big”, w: must be at most 2000.'],
    ];
    for (const [element, message] of cases) {
      const pages = [{ id: 'p', title: 'Wall', elements: [element] }];
      const response = await api('/api/export/pdf', { json: { projectId, pages } });
      expect(expectProblem(response, 'invalid_request').detail).toContain(message);
    }
    // Postgres cannot store an unpaired surrogate.
    const broken = await sendExport(api, { projectId, pages: [onePage('a\ud800')] });
    expectProblem(broken, 'invalid_json');
    const many = Array.from({ length: 201 }, (_, n) => textElement(`e${n}`, 'x'));
    const crowded = await sendExport(api, {
      projectId,
      pages: [onePage('', { title: 'Wall', elements: many })],
    });
    expect(expectProblem(crowded, 'invalid_request').detail).toContain(
      'Page 1 “Wall”, elements: must have at most 200 elements.',
    );
    const long = Array.from({ length: 201 }, () => onePage());
    expect(
      expectProblem(await sendExport(api, { projectId, pages: long }), 'invalid_request').detail,
    ).toContain('must have at most 200 pages');
  });

  test('an export without pages, with an unsafe link or with an image of another project is refused', async () => {
    const { projectId } = team;
    expectProblem(await sendExport(api, { projectId, pages: [] }), 'invalid_request');
    for (const link of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      '//x',
    ]) {
      const blocks = [{ type: 'paragraph' as const, runs: [{ text: 'x', link }] }];
      const page = onePage('', { title: 'Links', elements: [textElement('t', '', { blocks })] });
      const { detail } = expectProblem(
        await sendExport(api, { projectId, pages: [page] }),
        'invalid_request',
      );
      expect(detail).toBe(
        'Page 1 “Links”, text 1 “t”, blocks.0.runs.0.link: must be an http, https or mailto URL.',
      );
    }
  });

  test('an export leaves out images that the project does not have', async () => {
    const { projectId } = team;
    const foreign = await addImage(team.owner.api, await makeProject(team.owner.api));
    const sources = [
      { imageId: foreign.id },
      { path: foreign.path },
      { path: 'specs/x.pdf' },
      { path: '__proto__' },
    ];
    const { job, pdf } = await exported(api, {
      projectId,
      pages: [wall(...sources)],
      cover: { imageId: foreign.id },
      options: { includecover: true },
    });
    const message = 'The project does not have this image, so it is not printed.';
    const places = [null, ...sources.keys()].map((index) =>
      index === null ? { pageId: null, elementId: null } : { pageId: 'wall', elementId: `image-${index}` },
    );
    expect(job.warnings).toEqual(places.map((place) => ({ code: 'image_missing', ...place, message })));
    expect((await readPdf(pdf)).pages.map(({ images }) => images)).toEqual([0, 0]);
  });

  test('an export leaves out an image whose file is missing', async () => {
    const { projectId } = team;
    const broken = await addImage(api, projectId);
    await sql`update public.document_images set storage_path = storage_path || '-gone' where id = ${broken.id}`;
    const { job } = await exported(api, {
      projectId,
      pages: [wall({ imageId: broken.id })],
      options: { quality: 'screen' },
    });
    expect(job.options.quality).toBe('screen');
    expect(job.warnings).toEqual([
      {
        code: 'image_missing',
        pageId: 'wall',
        elementId: 'image-0',
        message: 'The image file is missing.',
      },
    ]);
  });
});

describe('an image of 16,000 × 16,000 pixels', () => {
  const SIDE = 16_000;
  const huge = blackPng(SIDE);
  /** The size of the decoded image, at three bytes per pixel. */
  const decodedBytes = 3 * SIDE * SIDE;

  test('an image of 16,000 × 16,000 pixels is refused', async () => {
    const before = await sql`select from public.document_images where project_id = ${team.projectId}`;
    const { detail } = expectProblem(await sendImage(api, team.projectId, huge), 'invalid_image');
    expect(detail).toBe('The image has too many pixels.');
    const after = await sql`select from public.document_images where project_id = ${team.projectId}`;
    expect(after.length).toBe(before.length);
  });

  test('an image that is larger than its row says is left out with a warning, and never decoded', {
    tags: ['extended'],
  }, async () => {
    const { projectId } = team;
    const image = await addImage(api, projectId);
    const jobId = await startJob(api, { projectId, prompt: 'A wall' });
    await waitForJob(api, jobId, 'succeeded');
    const [variant] = (await readChat(api, jobId)).variants;
    const path = variant?.path ?? '';
    for (const each of [image.path, path]) await replaceFile(each, huge);

    const appPid = pidOf(inject('atelier').dataDir, 'dist/server.mjs');
    const before = treeProportionalBytes(appPid);
    const pages = [wall({ imageId: image.id }, { path })];
    const { result, peakBytes } = await withPeak(appPid, () => exported(api, { projectId, pages }));
    const message = 'The image has too many pixels to print; the limit is 64 million.';
    expect(result.job.warnings).toEqual(
      ['image-0', 'image-1'].map((elementId) => ({
        code: 'image_missing',
        pageId: 'wall',
        elementId,
        message,
      })),
    );
    expect((await readPdf(result.pdf)).pages.map(({ images }) => images)).toEqual([0]);
    expect(peakBytes - before).toBeLessThan(decodedBytes);
  });
});
