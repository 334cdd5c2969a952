import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageInput } from '@/lib/export/document/page-model';
import { exportsAnswer } from '@/lib/export/schema';
import { expectProblem } from '@/tests/app/api';
import { browserPids } from '@/tests/app/browser-process';
import { type Crew, makeCrew, makeProject } from '@/tests/app/crew';
import { openDatabase } from '@/tests/app/database';
import {
  anExport,
  cancelExport,
  exported,
  onePage,
  readExport,
  sendExport,
  textElement,
  waitForExport,
} from '@/tests/app/exports';
import { addImage, picture } from '@/tests/app/pictures';
import { poll } from '@/tests/app/poll';
import { readPdf } from '@/tests/app/read-pdf';
import { unique } from '@/tests/app/specs';

let crew: Crew;
let sql: Sql;
beforeAll(async () => {
  crew = await makeCrew();
  sql = openDatabase();
});
afterAll(() => sql.end());

const api: Crew['owner']['api'] = (path, options) => crew.editor.api(path, options);
const MM = 72 / 25.4;

async function filesOf(jobId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'exports' and name like ${`%/${jobId}/%`}`;
  return rows.map(({ name }) => name);
}

async function workOf(jobId: string) {
  const [row] = await sql<{ state: string; attempts: number }[]>`
    select state, attempts from private.work_items where subject_id = ${jobId}`;
  return row;
}

/** Pages that take a browser some seconds. */
function manyPages(): PageInput[] {
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

const chapters: PageInput[] = [
  {
    id: 'one',
    title: 'Entrance',
    elements: [
      textElement('heading', '', {
        blocks: [{ type: 'heading', level: 1, runs: [{ text: 'Arrive slowly' }] }],
      }),
      textElement('marks', '', {
        y: 60,
        blocks: [
          {
            type: 'list',
            items: [
              [
                { text: 'see the ' },
                { text: 'samples', bold: true, link: 'https://example.com/samples?a=1&b=2' },
              ],
              [{ text: 'write', italic: true, underline: true, link: 'mailto:studio@example.com' }],
            ],
          },
        ],
      }),
    ],
  },
  { id: 'two', title: 'Not listed', inToc: false, elements: [textElement('t', 'In between')] },
  { id: 'three', title: 'Garden', elements: [textElement('t', 'Under trees')] },
];

describe.concurrent('an export', () => {
  const sizes = { A4: [210, 297], letter: [215.9, 279.4] } as const;
  const cases = (['A4', 'letter'] as const).flatMap((format) =>
    (['portrait', 'landscape'] as const).flatMap((orientation) =>
      [false, true].map((extra) => ({ format, orientation, includecover: extra, includeToc: extra })),
    ),
  );
  test.each(cases)('as $format $orientation, cover and contents $includeToc', async (options) => {
    const { job, pdf } = await exported(api, { projectId: crew.projectId, pages: chapters, options });
    const extra = options.includeToc ? 2 : 0;
    expect(job).toMatchObject({
      pageCount: 3 + extra,
      pagesDone: 3 + extra,
      bytes: pdf.length,
      warnings: [],
    });
    // In one piece it would be a PDF 1.4.
    expect(Buffer.from(pdf.subarray(0, 8)).toString()).toBe('%PDF-1.5');
    const { pages, outline, title, language, isTagged } = await readPdf(pdf);
    const [short, long] = sizes[options.format];
    const [width, height] = options.orientation === 'portrait' ? [short, long] : [long, short];
    for (const page of pages) {
      expect(Math.abs(page.width - width * MM)).toBeLessThan(1);
      expect(Math.abs(page.height - height * MM)).toBeLessThan(1);
    }
    expect([isTagged, language]).toEqual([true, 'en']);
    expect(title).toMatch(/^Project /);
    const printed = pages.slice(extra);
    expect(printed.map(({ text }) => text)).toEqual([
      expect.stringMatching(/Arrive slowly.*Entrance/),
      expect.stringMatching(/In between.*Not listed/),
      expect.stringMatching(/Under trees.*Garden/),
    ]);
    for (const [index, { text }] of printed.entries())
      expect(text).toMatch(new RegExp(`${extra + index + 1}$`));
    expect(printed[0]?.urls).toEqual(['https://example.com/samples?a=1&b=2', 'mailto:studio@example.com']);
    // Pages are A4 portrait: on other paper they are scaled to fit, in the middle.
    const scale = Math.min(width / 210, height / 297);
    const inBetween = printed[1]?.pieces.find(({ text }) => text === 'In between');
    expect(inBetween?.x).toBeCloseTo(((width - 210 * scale) / 2 + 20 * scale) * MM, 0);
    expect(outline.slice(extra)).toMatchObject([
      { title: 'Entrance', page: extra + 1, inner: ['Arrive slowly'] },
      { title: 'Not listed', page: extra + 2 },
      { title: 'Garden', page: extra + 3 },
    ]);
    if (!options.includeToc) return;
    expect(pages[0]?.text).toMatch(/^Project /);
    expect(pages[1]?.text).toMatch(/^Contents.*Entrance.*3.*Garden.*5$/);
    expect(pages[1]?.targets).toEqual([3, 5]);
  });

  test('with more chapters than a sheet of contents holds numbers them all', async () => {
    const pages = Array.from({ length: 60 }, (_, n) => onePage(`Text ${n}`, { title: `Chapter ${n + 1}` }));
    const { job, pdf } = await exported(api, {
      projectId: crew.projectId,
      pages,
      options: { includeToc: true, orientation: 'landscape' },
    });
    const read = await readPdf(pdf);
    const contents = read.pages.filter(({ targets }) => targets.length > 0);
    expect(job.pageCount).toBe(60 + contents.length);
    expect(contents.length).toBeGreaterThan(1);
    expect(contents.flatMap(({ targets }) => targets)).toEqual(
      Array.from({ length: 60 }, (_, n) => contents.length + n + 1),
    );
  });

  test('prints markup as the text that it is', async () => {
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
    const projectId = await makeProject(crew.owner.api, title);
    const { pdf } = await exported(crew.owner.api, {
      projectId,
      pages: [page],
      options: { includecover: true },
    });
    const read = await readPdf(pdf);
    expect(read.title).toBe(title);
    expect(read.pages[0]?.text).toContain(title);
    expect(read.pages[1]?.text.split('{{7*7}}').length).toBe(3);
    await crew.owner.api(`/api/projects/${projectId}/pages`, {
      method: 'PUT',
      json: { version: 0, pages: [page] },
    });
    const { text } = await crew.owner.api(`/api/export/render/${projectId}?includecover=true`);
    expect(text).not.toMatch(/<script|<img|<b>|onerror=alert\(1\)>[^&]/i);
  });

  test('shows images at the size that print needs, and warns of coarse ones and of text that is cut', async () => {
    const fine = await addImage(api, crew.projectId, await picture(1200, 800, 'jpeg'));
    const coarse = await addImage(api, crew.projectId, await picture(60, 40));
    const frame = { type: 'image', x: 20, w: 90, h: 60 } as const;
    const pages: PageInput[] = [
      {
        id: 'fine',
        elements: [{ ...frame, id: 'a', y: 20, imageId: fine.id, crop: { x: 0.1, y: 0, w: 0.8, h: 1 } }],
      },
      {
        id: 'coarse',
        elements: [
          { ...frame, id: 'b', y: 20, path: coarse.path, fit: 'contain' },
          textElement('long', 'Too much to say. '.repeat(100), { y: 100, valign: 'bottom' }),
        ],
      },
    ];
    const { job, pdf } = await exported(api, { projectId: crew.projectId, pages });
    expect((await readPdf(pdf)).pages.map(({ images }) => images)).toEqual([1, 1]);
    expect(job.warnings).toMatchObject([
      { code: 'text_overflow', pageId: 'coarse', elementId: 'long' },
      {
        code: 'low_resolution',
        pageId: 'coarse',
        elementId: 'b',
        message: expect.stringContaining('16 dpi'),
      },
    ]);
  });

  test('says which characters no font has, and where', async () => {
    const pages: PageInput[] = [
      { id: 'fine', elements: [textElement('t', 'Æ Ω Ж ע ع क ก 字 あ 한 😀')] },
      {
        id: 'lacks',
        title: 'Runes \u{12000}',
        elements: [textElement('t', 'fine'), textElement('u', '\uE000')],
      },
    ];
    const { job } = await exported(api, {
      projectId: crew.projectId,
      pages,
      options: { includecover: true, includeToc: true },
    });
    expect(job.warnings.map(({ code, pageId, elementId }) => [code, pageId, elementId])).toEqual([
      ['missing_glyph', null, null],
      ['missing_glyph', 'lacks', null],
      ['missing_glyph', 'lacks', 'u'],
    ]);
    expect(job.warnings[2]?.message).toContain('U+E000');
  });

  test('is of the pages as they were asked for, and made once for the same input', async () => {
    const payload = { projectId: crew.projectId, pages: [onePage(unique('Once'))] };
    const first = await exported(api, payload);
    const again = await exported(api, payload);
    expect(again.job.jobId).not.toBe(first.job.jobId);
    expect(Buffer.from(again.pdf).equals(Buffer.from(first.pdf))).toBe(true);
    expect([await filesOf(first.job.jobId), await filesOf(again.job.jobId)]).toEqual([
      [expect.any(String)],
      [],
    ]);
    const other = await exported(api, { ...payload, options: { format: 'letter' } });
    expect(await filesOf(other.job.jobId)).toHaveLength(1);
  });

  test('with the same Idempotency-Key is the same one', async () => {
    const payload = { projectId: crew.projectId, pages: [onePage()] };
    const headers = { 'idempotency-key': unique('key').replace(' ', '-') };
    const [first, second] = [
      await sendExport(api, payload, headers),
      await sendExport(api, payload, headers),
    ];
    expect(second.body).toEqual(first.body);
    const other = { ...payload, pages: [onePage()] };
    expectProblem(await sendExport(api, other, headers), 'idempotency_mismatch');
  });

  test('beyond all bounds is refused with its page and element', async () => {
    const { projectId } = crew;
    const frame = { id: 'big', x: 0, y: 0, w: 50, h: 50 };
    const table = { ...frame, type: 'table', columns: [{ label: 'a' }], rows: Array(100_000).fill(['x']) };
    const cases: [unknown, string][] = [
      [table, 'Page 1 “Wall”, table 1 “big”, rows: must have at most 300 rows.'],
      [textElement('big', 'x', { w: 1e300 }), 'Page 1 “Wall”, text 1 “big”, w: must be at most 2000.'],
    ];
    for (const [element, words] of cases) {
      const pages = [{ id: 'p', title: 'Wall', elements: [element] }];
      const answer = await api('/api/export/pdf', { json: { projectId, pages } });
      expect(expectProblem(answer, 'invalid_request').detail).toContain(words);
    }
    // Half a character is no JSON that could be kept.
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

  test('of nothing, of strange links and of images that are not of the project is refused', async () => {
    const { projectId } = crew;
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
        'Page 1 “Links”, text 1 “t”, blocks.0.runs.0.link: must be an http, https or mailto address.',
      );
    }
    const foreign = await addImage(crew.owner.api, await makeProject(crew.owner.api));
    for (const source of [
      { imageId: foreign.id },
      { path: foreign.path },
      { path: 'specs/x.pdf' },
      { path: '__proto__' },
    ]) {
      const element = { id: 'i', type: 'image' as const, x: 0, y: 0, w: 50, h: 50, ...source };
      const page = onePage('', { title: 'Wall', elements: [textElement('t', 'x'), element] });
      const { detail, errors } = expectProblem(
        await sendExport(api, { projectId, pages: [page] }),
        'invalid_request',
      );
      expect(detail).toBe('Page 1 “Wall”, image 2 “i”: the project has no such image.');
      expect(errors?.[0]?.path).toBe('pages.0.elements.1');
    }
  });
});

describe('an export that is', () => {
  test('of an image with too many pixels is refused, and of one that is none after all is made without it', async () => {
    const { projectId } = crew;
    const large = await addImage(api, projectId);
    const broken = await addImage(api, projectId);
    const frame = { type: 'image', x: 0, y: 0, w: 50, h: 50 } as const;
    const page = (imageId: string) =>
      onePage('', { id: 'wall', title: 'Wall', elements: [{ ...frame, id: 'i', imageId }] });
    // Such an image is not taken when it is uploaded; what an older version of us has taken may still be there.
    await sql`update public.document_images set width = 16000, height = 16000 where id = ${large.id}`;
    const { detail } = expectProblem(
      await sendExport(api, { projectId, pages: [page(large.id)] }),
      'invalid_request',
    );
    expect(detail).toBe(
      'Page 1 “Wall”, image 1 “i”: the image has too many pixels to be printed (16000 × 16000).',
    );
    await sql`update public.document_images set storage_path = storage_path || '-gone' where id = ${broken.id}`;
    const { job } = await exported(api, {
      projectId,
      pages: [page(broken.id)],
      options: { quality: 'screen' },
    });
    expect(job.options.quality).toBe('screen');
    expect(job.warnings).toEqual([
      {
        code: 'image_missing',
        pageId: 'wall',
        elementId: 'i',
        message: 'The image file is missing.',
      },
    ]);
  });

  test('canceled stays so, and leaves no file', async () => {
    const jobId = await anExport(api, { projectId: crew.projectId, pages: manyPages() });
    await poll('it is under way', async () => ((await workOf(jobId))?.attempts ?? 0) > 0);
    const answer = await cancelExport(api, jobId);
    expect(answer.body).toMatchObject({ jobId, status: 'canceled', downloadUrl: null });
    expect((await cancelExport(api, jobId)).status).toBe(200);
    // What is asked for next comes after it, on the same browser.
    const next = await exported(api, { projectId: crew.projectId, pages: [onePage()] });
    expect(await readExport(api, jobId)).toMatchObject({ status: 'canceled', pageCount: null });
    expect(await filesOf(jobId)).toEqual([]);
    expect(await workOf(jobId)).toMatchObject({ state: 'canceled' });
    expect(expectProblem(await cancelExport(api, next.job.jobId), 'state_conflict').currentStatus).toBe(
      'completed',
    );
  });

  test('printed when its browser is killed is printed by another one', async () => {
    const image = await addImage(api, crew.projectId);
    const [first, ...rest] = manyPages();
    const element = { id: 'i', type: 'image' as const, x: 0, y: 0, w: 5, h: 5, imageId: image.id };
    const pages = [{ id: 'first', ...first, elements: [element] }, ...rest];
    const jobId = await anExport(api, { projectId: crew.projectId, pages });
    const pids = await poll('it is being printed', async () => {
      const found = await browserPids();
      return (await readExport(api, jobId)).pagesDone > 0 && found.length > 0 && found;
    });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const { job, pdf } = await waitForExport(api, jobId);
    expect(job).toMatchObject({ status: 'completed', pageCount: 150 });
    expect((await readPdf(pdf)).pages).toHaveLength(150);
    expect(await workOf(jobId)).toMatchObject({ state: 'done', attempts: 2 });
    expect(await filesOf(jobId)).toHaveLength(1);
    for (const pid of pids) expect(await browserPids()).not.toContain(pid);
  });

  test('listed comes newest first, page by page', async () => {
    const projectId = await makeProject(crew.owner.api);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.unshift(await anExport(crew.owner.api, { projectId, pages: [onePage()] }));
    const list = async (more = '') =>
      exportsAnswer.parse(
        (await crew.owner.api(`/api/export/jobs?projectId=${projectId}&limit=2${more}`)).body,
      );
    const first = await list();
    const second = await list(`&cursor=${first.nextCursor}`);
    expect([...first.jobs, ...second.jobs].map(({ jobId }) => jobId)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
  });
});
