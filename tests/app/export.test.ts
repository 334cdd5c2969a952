import { beforeAll, describe, expect, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { documentSummary } from '@/lib/export/documents/schema';
import { openedDocument } from '@/lib/export/schema';
import { expectProblem } from '@/tests/app/support/api';
import { pdfWith } from '@/tests/app/support/embedded-pdf';
import { exported, onePage, sendExport, textElement } from '@/tests/app/support/exports';
import { form } from '@/tests/app/support/form';
import { addImage, picture } from '@/tests/app/support/pictures';
import { readPdf } from '@/tests/app/support/read-pdf';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';

let team: Team;
beforeAll(async () => {
  team = await makeTeam();
});

const api: Team['owner']['api'] = (path, options) => team.editor.api(path, options);
const MM = 72 / 25.4;

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

/** Expects a sound and accessible PDF that was printed in parts. A file from Chromium alone would have version 1.4. */
async function expectPrintedInParts(pdf: Uint8Array): Promise<void> {
  expect(Buffer.from(pdf.subarray(0, 8)).toString()).toBe('%PDF-1.5');
  const { problems, fonts } = await inspectPdf(Buffer.from(pdf));
  expect(problems).toEqual([]);
  expect(fonts.filter(({ embedded }) => !embedded)).toEqual([]);
}

describe.concurrent('an export', () => {
  const sizes = { A4: [210, 297], letter: [215.9, 279.4] } as const;
  const cases = (['A4', 'letter'] as const).flatMap((format) =>
    (['portrait', 'landscape'] as const).flatMap((orientation) =>
      [false, true].map((extra) => ({ format, orientation, includecover: extra, includeToc: extra })),
    ),
  );
  async function expectPrinted(options: (typeof cases)[number]): Promise<void> {
    const { job, pdf } = await exported(api, { projectId: team.projectId, pages: chapters, options });
    const extra = options.includeToc ? 2 : 0;
    expect(job).toMatchObject({
      pageCount: 3 + extra,
      pagesDone: 3 + extra,
      bytes: pdf.length,
      warnings: [],
    });
    await expectPrintedInParts(pdf);
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
    // The document has the default paper, A4 portrait. On other paper, its pages are scaled to fit and centered.
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
  }
  const title = 'an export prints $format $orientation, with cover and contents: $includeToc';
  // The first and the last case differ in everything.
  test.each([cases[0], cases.at(-1)].filter((each) => each !== undefined))(title, expectPrinted);
  test.each(cases.slice(1, -1))(title, { tags: ['extended'] }, expectPrinted);

  test('an export with more chapters than fit on one sheet of contents numbers them all', {
    tags: ['extended'],
  }, async () => {
    const pages = Array.from({ length: 60 }, (_, n) => onePage(`Text ${n}`, { title: `Chapter ${n + 1}` }));
    const { job, pdf } = await exported(api, {
      projectId: team.projectId,
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

  test('an export shows images at print size, and warns of low resolution and of text that is cut off', async () => {
    const fine = await addImage(api, team.projectId, await picture(1200, 800, 'jpeg'));
    const coarse = await addImage(api, team.projectId, await picture(60, 40));
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
    const { job, pdf } = await exported(api, { projectId: team.projectId, pages });
    await expectPrintedInParts(pdf);
    expect((await readPdf(pdf)).pages.map(({ images }) => images)).toEqual([1, 1]);
    expect(job).toMatchObject({ imagesDone: 2, imagesTotal: 2 });
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

  test('an export job stores its options, which determine the file name', {
    tags: ['extended'],
  }, async () => {
    const own = await makeProject(team.owner.api, 'Villa / Süd');
    const options = { pages: '2', bleed: 3, cropMarks: true, fileName: '{project} {date} v{version} Å' };
    const { job, pdf } = await exported(team.owner.api, { projectId: own, pages: chapters, options });
    // The document was never saved, so it has no version.
    expect(job).toMatchObject({ pageCount: 1, options: { ...options, documentVersion: null } });
    expect((await readPdf(pdf)).pages[0]?.text).toMatch(/^In between.*2$/);
    const response = await fetch(job.downloadUrl ?? '', { method: 'HEAD' });
    const name = `Villa - Süd ${job.createdAt.slice(0, 10)} v Å.pdf`;
    expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain(name);
    const created = await team.owner.api(`/api/projects/${own}/documents`, { json: { name: 'Offer' } });
    const { id: documentId } = documentSummary.parse(created.body);
    const other = await exported(team.owner.api, { projectId: own, documentId, pages: chapters });
    const url = decodeURIComponent(other.job.downloadUrl ?? '');
    expect(url).toContain('&download=Villa - Süd - Offer.pdf');
    const refused = await sendExport(api, {
      projectId: team.projectId,
      pages: chapters,
      options: { pages: '2-4' },
    });
    expect(expectProblem(refused, 'invalid_request').detail).toContain(
      'options.pages names page 4, but the document has only 3 pages.',
    );
  });

  test('the editable document of a PDF can be opened in another project, with copies of its images', {
    tags: ['extended'],
  }, async () => {
    const image = await addImage(api, team.projectId, await picture(600, 400, 'jpeg'));
    const frame = { type: 'image', x: 20, y: 20, w: 60, h: 40 } as const;
    const pages: PageInput[] = [
      { id: 'wall', title: 'Wall', elements: [{ ...frame, id: 'a', path: image.path }] },
    ];
    const send = async (caller: Team['owner'], into: string, file: Uint8Array) => {
      const { body, headers } = form([
        { name: 'file', value: file, fileName: 'a.pdf', type: 'application/pdf' },
      ]);
      return caller.api(`/api/projects/${into}/pages/from-pdf`, { method: 'POST', body, headers });
    };
    const request = { projectId: team.projectId, pages, language: 'nb', options: { embedDocument: true } };
    const { pdf } = await exported(api, request);
    const same = openedDocument.parse((await send(team.editor, team.projectId, pdf)).body);
    expect(same).toMatchObject({ document: { pages, language: 'nb' }, notices: [] });

    const elsewhere = await makeProject(team.editor.api);
    const copied = openedDocument.parse((await send(team.editor, elsewhere, pdf)).body);
    const [element] = copied.document.pages[0]?.elements ?? [];
    expect(copied.notices).toEqual([]);
    if (element?.type !== 'image' || !element.imageId) throw new Error('The image was not copied.');
    const { pdf: again } = await exported(team.editor.api, {
      projectId: elsewhere,
      pages: copied.document.pages,
    });
    expect((await readPdf(again)).pages[0]?.images).toBe(1);

    // For a caller who cannot see the source project, the frame is empty.
    const strangers = await makeProject(team.stranger.api);
    const empty = openedDocument.parse((await send(team.stranger, strangers, pdf)).body);
    expect(empty.document.pages[0]?.elements).toMatchObject([{ imageId: null, path: null }]);
    expect(empty.notices).toEqual([
      'Page 1 “Wall”, image 1 “a”: the image is not available, so the frame is empty.',
    ]);

    const damaged = await send(team.editor, team.projectId, await pdfWith('not JSON'));
    expectProblem(damaged, 'invalid_json');

    // The document is embedded only if the options ask for it, and never in a PDF/A-2a file.
    for (const options of [{}, { embedDocument: true, pdfA: true }]) {
      const { pdf: without } = await exported(api, { ...request, options });
      const refused = await send(team.editor, team.projectId, without);
      expect(expectProblem(refused, 'invalid_pdf').detail).toContain('has no editable document');
    }
  });

  test('an export warns about characters that no font has, and says where they are', async () => {
    const pages: PageInput[] = [
      { id: 'fine', elements: [textElement('t', 'Æ Ω Ж ע ع क ก 字 あ 한 😀')] },
      {
        id: 'lacks',
        title: 'Runes \u{12000}',
        elements: [textElement('t', 'fine'), textElement('u', '\uE000')],
      },
    ];
    const { job } = await exported(api, {
      projectId: team.projectId,
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
});
