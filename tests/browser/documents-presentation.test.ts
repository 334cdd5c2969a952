// @module-tag extended
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFArray, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import type { Page } from 'puppeteer-core';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import type { PageData, PageElement } from '@/lib/document/page-model';
import { type ExportJob, exportsResponse } from '@/lib/export/schema';
import { imageJob, jobStartedResponse } from '@/lib/image-gen/schema';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { waitForExport } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readPdf } from '@/tests/app/support/read-pdf';
import { photo } from '@/tests/pdf/support/documents';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';
import { jpegsOf } from '@/tests/pdf/support/jpegs';
import { contentOf, fillColors } from '@/tests/pdf/support/page-content';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { chooseFiles } from './support/choose-file';
import {
  desk,
  isOpen,
  middleOf,
  openDocument,
  pressControl,
  savingIs,
  storedDocument,
  takeFrom,
  target,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open, goTo } = openBrowser();
const email = 'member@atelier.test';

const inAside = (label: string) => `::-p-xpath(//aside//*[self::label or self::span][.="${label}"])`;
const field = (label: string, within = 'aside') =>
  `::-p-xpath(//${within}//label[.="${label}"]/following::input[1])`;
// Match only visible options, because the hidden lists of other fields may contain the same option.
const option = (words: string) =>
  `::-p-xpath(//*[@role="option"][.="${words}"][not(ancestor::*[contains(@style, "display: none")])])`;
const inDialog = (xpath: string) => `::-p-xpath(//*[@role="dialog"]//${xpath})`;

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 20 20 0l20 20z" fill="#2f5d50"/></svg>';

const toggle = (page: Page, label: string) =>
  page.locator(inDialog(`label[starts-with(., "${label}")]`)).click();
const press = (page: Page, name: string) => page.locator(byRole('button', name)).click();

async function choose(page: Page, label: string, words: string, within = 'aside'): Promise<void> {
  await page.locator(field(label, within)).click();
  await page.locator(option(words)).click();
}

/** Adds an empty page with this title after the open page. `number` is the number of the new page. */
async function addPage(page: Page, number: number, title: string): Promise<void> {
  await page.locator('nav[aria-label=Pages] button[aria-label="Add a page"]').click();
  await page.locator(`${desk}[aria-label="Canvas of page ${number}: 0 elements"]`).wait();
  await page.locator('aside input[maxlength="200"]').fill(title);
}

/** Adds a page from a built-in template. */
async function addFromTemplate(page: Page, number: number, template: string, title: string): Promise<void> {
  await press(page, 'Templates');
  await page.locator('[role=dialog] input').fill(title);
  await press(page, template);
  await page.locator(`${desk}[aria-label^="Canvas of page ${number}, ${title}"]`).wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
}

/** Uploads an image in the image dialog and inserts it. */
async function insertImage(page: Page, path: string): Promise<void> {
  await takeFrom(page, 'Image', 'From project');
  await chooseFiles(page, '[role=dialog]', path);
  await page.locator('::-p-text(1 image selected)').wait();
  await press(page, 'Insert');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(target('Image')).wait();
}

/** Runs an image job with a library material until it succeeds; returns the id of the job. */
async function generate(api: Api, projectId: string, materialId: string): Promise<string> {
  const json = { projectId, prompt: 'A living room by the fjord', materialIds: [materialId] };
  const response = await api('/api/image-gen/jobs', { json });
  expect(response.status, excerpt(response)).toBe(202);
  const { jobId } = jobStartedResponse.parse(response.body);
  await poll('the image is generated', async () => {
    const { status } = imageJob.parse((await api(`/api/image-gen/jobs/${jobId}`)).body);
    return status === 'succeeded';
  });
  return jobId;
}

/** Pastes text from the system clipboard, as if it had been copied in another program. */
async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await pressControl(page, 'v');
}

/**
 * Starts an export in the dialog, waits until it is completed, and returns the job and its PDF. `before` is the number
 * of earlier exports.
 */
async function exportNow(page: Page, api: Api, projectId: string, before: number) {
  await page.locator(inDialog('button[.="Export"]')).click();
  const jobs = await poll('the export is listed', async () => {
    const { body } = await api(`/api/export/jobs?projectId=${projectId}`);
    const { jobs: listed } = exportsResponse.parse(body);
    return listed.length > before && listed;
  });
  const { job, pdf } = await waitForExport(api, jobs[0]?.jobId ?? '');
  expect(job).toMatchObject({ status: 'completed', error: null });
  return { job, pdf: Buffer.from(pdf) };
}

/** Returns the code, page title and element type of each warning of an export. */
const warningsOf = ({ warnings }: ExportJob, pages: PageData[]) =>
  warnings.map(({ code, pageId, elementId }) => {
    const on = pages.find(({ id }) => id === pageId);
    return `${code}: ${on?.title}, ${on?.elements.find(({ id }) => id === elementId)?.type}`;
  });

function all<Type extends PageElement['type']>(elements: readonly PageElement[], type: Type) {
  return elements.filter((element): element is Extract<PageElement, { type: Type }> => element.type === type);
}

/** Returns the width in pixels and the chroma subsampling of the widest JPEG in a PDF. */
async function largestImage(pdf: Buffer): Promise<{ width: number; colors: string }> {
  const jpegs = jpegsOf(await PDFDocument.load(pdf, { updateMetadata: false }));
  const found = await Promise.all(jpegs.map((jpeg) => sharp(jpeg).metadata()));
  const [largest] = found.sort((one, other) => other.width - one.width);
  return { width: largest?.width ?? 0, colors: largest?.chromaSubsampling ?? '' };
}

/** Returns the operators that set the fill colors on the pages of a PDF. */
async function colorsOf(pdf: Buffer): Promise<string[]> {
  const pages = (await PDFDocument.load(pdf, { updateMetadata: false })).getPages();
  return pages.flatMap((page) => [...fillColors(contentOf(page))]);
}

/** Returns the number of files that are embedded in a PDF. */
async function attachedFiles(pdf: Buffer): Promise<number> {
  const { catalog } = await PDFDocument.load(pdf, { updateMetadata: false });
  return catalog.lookupMaybe(PDFName.of('AF'), PDFArray)?.size() ?? 0;
}

test('a presentation of 12 pages is built by mouse and keyboard, and its PDFs with every option are sound', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Villa Nordlys');
  const files = await makeDataDir();
  const page = await open();
  await page.browserContext().overridePermissions(url, ['clipboard-read', 'clipboard-sanitized-write']);
  try {
    await openDocument(page, email, projectId);
    await page.locator(inAside('Landscape')).click();
    await page.locator('::-p-xpath(//main//button[.="Add a page"])').click();
    await page.locator(`${desk}[aria-label="Canvas of page 1: 0 elements"]`).wait();
    await page.locator('aside input[maxlength="200"]').fill('Arrival');

    // Add a named style, apply it to a text element, and then change the element through the style.
    await press(page, 'Add style');
    await page.locator(byRole('menuitem', 'Heading')).click();
    await press(page, 'Text');
    await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
    await page.keyboard.type('Northern ');
    await pressControl(page, 'b');
    await page.keyboard.type('light');
    await page.keyboard.press('Escape');
    await choose(page, 'Style', 'Heading');
    await page.keyboard.press('Escape');
    await page.locator(desk).click({ offset: { x: 5, y: 60 } });
    await page.locator('::-p-xpath(//section[@aria-label="Paragraph styles"]//button[.="Heading"])').click();
    await page
      .locator('::-p-xpath(//*[@aria-label="style Heading"]//label[.="Size"]/following::input[1])')
      .fill('13');

    // Put the page number and a logo on the master.
    await press(page, 'Edit master');
    await page.locator(`${desk}[aria-label="Canvas of master, Default: 0 elements"]`).wait();
    await press(page, 'Insert page number or title');
    await page.locator(byRole('menuitem', 'Page number and total')).click();
    await page.locator(`${desk}[aria-label="Canvas of master, Default: 1 element"]`).wait();
    const logo = join(files.path, 'logo.svg');
    await writeFile(logo, LOGO);
    await insertImage(page, logo);
    for (const [label, millimeters] of Object.entries({ Width: 24, Height: 12, X: 255, Y: 10 })) {
      await page.locator(field(label)).fill(String(millimeters));
    }
    await page.keyboard.press('Enter');
    await press(page, 'Done');

    // Fill a page with a photo, describe the photo, and crop it with the keyboard.
    await addPage(page, 2, 'The bay');
    const picture = join(files.path, 'bay.jpg');
    await writeFile(picture, (await photo(2800, 2100)).bytes);
    await insertImage(page, picture);
    await page.locator('aside textarea').fill('The bay at dusk');
    await page.locator(target('Image: The bay at dusk')).click();
    await takeFrom(page, 'Arrange', 'Fill page');
    await page.waitForSelector(`${target('Image: The bay at dusk')}:focus`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[aria-label="Crop of Image: The bay at dusk"]:focus');
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('+');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`${target('Image: The bay at dusk')}:focus`);

    // Copy everything on the first page and paste it onto the page with the photo, with the focus in the strip of
    // pages.
    await page.locator('[data-open][aria-label="Page 1: Arrival"]').click();
    await page.locator(target('Text: Northern light')).wait();
    await pressControl(page, 'a');
    await page.locator(`${target('Text: Northern light')}[aria-pressed=true]`).wait();
    await pressControl(page, 'c');
    await page.locator('[data-open][aria-label="Page 2: The bay"]').click();
    await page.locator(target('Image: The bay at dusk')).wait();
    await pressControl(page, 'v');
    await page.locator(target('Text: Northern light')).wait();

    // Insert a material at a fifth of its real size.
    await addPage(page, 3, 'Oak and stone');
    await press(page, 'Material');
    const library = '[role=dialog] ul[aria-label="Library materials"] button';
    await page.locator(library).wait();
    await page.locator(library).click();
    await press(page, 'Insert');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await choose(page, 'Scale', '1:5');
    const scaled = await poll('the material has its scale', async () => {
      const { pages } = await storedDocument(member, projectId);
      const [material] = all(pages[2]?.elements ?? [], 'material');
      return material?.trueScale?.ratio === 5 && material;
    });

    // Insert a table from a file, and continue it on the next page.
    await addPage(page, 4, 'Lamps');
    const csv = join(files.path, 'lamps.csv');
    const lamps = Array.from({ length: 34 }, (_, index) => `Lamp ${index + 1};${index * 10}`);
    await writeFile(csv, `Item;Price\r\n${lamps.join('\r\n')}`);
    const [chooser] = await Promise.all([
      page.waitForFileChooser(),
      takeFrom(page, 'Table', 'From CSV file'),
    ]);
    await chooser.accept([csv]);
    await page.waitForSelector('button[data-target][aria-label^="Table: Item, Price"]');
    await press(page, 'Continue on the next page');
    await page.waitForFunction("document.querySelectorAll('[data-open]').length === 5");

    // Group two shapes, and pull a guide from the ruler.
    await page.locator('[data-open][aria-label^="Page 5"]').click();
    await addPage(page, 6, 'Colors');
    await takeFrom(page, 'Shape', 'Rectangle');
    await takeFrom(page, 'Shape', 'Ellipse');
    await pressControl(page, 'a');
    await pressControl(page, 'g');
    await page.locator('aside ::-p-text(Group of 2 elements)').wait();
    const ruler = await middleOf(page, '[data-new-guide=x]');
    const paper = await middleOf(page, `${desk} .doc-page`);
    await page.mouse.move(ruler.x, paper.y);
    await page.mouse.down();
    await page.mouse.move(paper.x - 100, paper.y, { steps: 6 });
    await page.mouse.up();
    await page.waitForSelector('[aria-label^="Vertical guide"]:focus');
    await pasteText(page, 'Color\tCode\nLight gray\tRAL 7035\nMoss green\tRAL 6005');
    await page.locator('button[data-target][aria-label^="Table: Color, Code"]').wait();

    // Add an image with its material schedule from the studio.
    await savingIs(page, 'saved');
    const jobId = await generate(member, projectId, scaled.materialId);
    await goTo(page, `/projects/${projectId}/studio?job=${jobId}`);
    await press(page, 'More for image 1.1');
    await page.locator(byRole('menuitem', 'Add to document with schedule')).click();
    await page.locator(inDialog('button[.="Add"]')).click();
    await page.locator('::-p-text(Added as a new page)').wait();
    await page.locator(byRole('link', 'Open the page')).click();
    await isOpen(page);
    await page.locator(`${desk}[aria-label^="Canvas of page 7"]`).wait();

    // Replace the placeholder text of a template.
    await addFromTemplate(page, 8, 'Title and text', 'The idea');
    await page.locator(target('Text: Text')).click({ count: 2 });
    await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
    await pressControl(page, 'a');
    await page.keyboard.type('The rooms follow the sun.');
    await page.keyboard.press('Escape');
    await page.locator(target('Text: The rooms follow the sun.')).wait();
    await addFromTemplate(page, 9, 'Moodboard', 'Mood');
    await addFromTemplate(page, 10, 'Title and text', 'Thanks');
    for (const [label, shown] of [
      ['Table of contents', 'Contents, page 1'],
      ['Cover', 'Cover, page 1'],
    ] as const) {
      await page.locator(`::-p-xpath(//aside//label[.="${label}"])`).click();
      await page.locator(`${desk}[aria-label="${shown}"]`).wait();
    }
    await page.locator(field('Title')).fill('Villa Nordlys');
    await page.locator(field('Client')).fill('Family Bergström');
    await press(page, 'Choose cover image');
    await page.locator('[role=dialog] ul[aria-label="Uploaded images"] button[aria-label="bay.jpg"]').click();
    await press(page, 'Use image');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await savingIs(page, 'saved');

    const { pages, styles, cover, masters } = await storedDocument(member, projectId);
    expect(cover.imageId ?? cover.path).toBeTruthy();
    expect(styles).toMatchObject([{ id: 'heading', fontSize: 13 }]);
    const heading = { styleId: 'heading', fontSize: 13 };
    const runs = [{ text: 'Northern ' }, { text: 'light', bold: true }];
    expect(all(pages[0]?.elements ?? [], 'text')).toMatchObject([{ ...heading, blocks: [{ runs }] }]);
    expect(all(pages[1]?.elements ?? [], 'text')).toMatchObject([{ ...heading, blocks: [{ runs }] }]);
    expect(masters).toMatchObject([
      { elements: [{ type: 'text' }, { type: 'image', x: 255, y: 10, w: 24, h: 12 }] },
    ]);
    expect(all(pages[1]?.elements ?? [], 'image')[0]?.crop?.w).toBeLessThan(1);
    expect(pages[5]).toMatchObject({ guides: [{ axis: 'x' }] });
    const shapes = all(pages[5]?.elements ?? [], 'shape');
    const groupId = expect.stringMatching(/./);
    expect(shapes).toMatchObject([{ groupId }, { groupId: shapes[0]?.groupId }]);
    expect(all(pages[5]?.elements ?? [], 'table')).toMatchObject([
      { columns: [{ label: 'Color' }, { label: 'Code' }], rows: [{}, ['Moss green', 'RAL 6005']] },
    ]);
    expect(all(pages[6]?.elements ?? [], 'table')).toHaveLength(1);
    expect(pages).toHaveLength(10);

    // Open the page that the dialog's “This page” option exports.
    await page.locator('[data-open][aria-label="Page 4: The bay"]').click();
    await page.locator(`${desk}[aria-label^="Canvas of page 4, The bay"]`).wait();
    await press(page, 'Export');
    await page.locator('[role=dialog] ::-p-text(No exports yet.)').wait();
    const whole = await exportNow(page, member, projectId, 0);
    await choose(page, 'Images', 'Archive, 300 dpi (largest file)', '*[@role="dialog"]');
    await choose(page, 'Bleed', '3 mm', '*[@role="dialog"]');
    await toggle(page, 'Crop marks');
    await toggle(page, 'Pure black text');
    await toggle(page, 'Range');
    // Sheets 3 to 6 are the first four pages after the cover and the table of contents.
    await page.locator('[role=dialog] input[aria-label="Page range"]').fill('3-6');
    const printed = await exportNow(page, member, projectId, 1);
    await choose(page, 'Images', 'Screen, 110 dpi (smallest file)', '*[@role="dialog"]');
    await choose(page, 'Bleed', 'None', '*[@role="dialog"]');
    await toggle(page, 'Crop marks');
    await toggle(page, 'Pure black text');
    await toggle(page, 'All');
    await toggle(page, 'Archive standard (PDF/A-2a)');
    const archived = await exportNow(page, member, projectId, 2);
    await choose(page, 'Paper', 'Letter', '*[@role="dialog"]');
    await choose(page, 'Orientation', 'Portrait', '*[@role="dialog"]');
    await toggle(page, 'Cover');
    await toggle(page, 'Table of contents');
    await toggle(page, 'This page');
    await toggle(page, 'Archive standard (PDF/A-2a)');
    await toggle(page, 'Include the editable document');
    const handedOut = await exportNow(page, member, projectId, 3);

    const exports = [whole, printed, archived, handedOut];
    // Apart from images with a low resolution, only the mood board's empty frames cause warnings. The full-page photo
    // causes none, because it extends into the bleed.
    const empty = 'image_missing: Mood, image';
    const expected = [[empty], [], [empty], []];
    for (const [index, { job, pdf }] of exports.entries()) {
      // Ignore the low-resolution warnings, because the generated images are small.
      const warnings = warningsOf(job, pages).filter((warning) => !warning.startsWith('low_resolution'));
      expect(new Set(warnings)).toEqual(new Set(expected[index]));
      expect((await inspectPdf(pdf)).problems).toEqual([]);
    }
    expect(exports.map(({ job }) => job.pageCount)).toEqual([12, 6, 12, 1]);
    expect(await Promise.all(exports.map(({ pdf }) => attachedFiles(pdf)))).toEqual([1, 1, 0, 0]);
    expect(exports.map(({ pdf }) => pdf.includes('<pdfaid:part>2</pdfaid:part>'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    // The frame shows three quarters of the photo's width, at 174 dpi. The last two exports limit images to 110 dpi, so
    // the photo is scaled down. The last one is also printed on smaller paper, so its photo is even smaller.
    expect(await Promise.all(exports.map(({ pdf }) => largestImage(pdf)))).toEqual([
      { width: 2800, colors: '4:2:0' },
      { width: 2800, colors: '4:4:4' },
      { width: 1770, colors: '4:2:0' },
      { width: 1287, colors: '4:2:0' },
    ]);
    const boxes = (await PDFDocument.load(printed.pdf)).getPages().map((sheet) => ({
      bleed: sheet.getBleedBox().width - sheet.getTrimBox().width,
      marks: sheet.getMediaBox().width > sheet.getBleedBox().width,
    }));
    expect(boxes).toHaveLength(6);
    for (const { bleed, marks } of boxes) {
      expect(bleed).toBeCloseTo((6 / 25.4) * 72, 0);
      expect(marks).toBe(true);
    }
    const ink = '.1216 .1373 .1569 rg';
    expect(await colorsOf(whole.pdf)).toContain(ink);
    expect(await colorsOf(printed.pdf)).not.toContain(ink);
    expect(await colorsOf(printed.pdf)).toContain('0 g');

    const [read, readPrinted, readArchived, readHandedOut] = await Promise.all(
      exports.map(({ pdf }) => readPdf(new Uint8Array(pdf))),
    );
    expect(read).toMatchObject({ title: 'Villa Nordlys', isTagged: true });
    expect(read?.pages[0]?.text).toContain('Family Bergström');
    // The table of contents does not list the page on which the table of lamps continues.
    expect(read?.pages[1]?.targets).toEqual([3, 4, 5, 6, 8, 9, 10, 11, 12]);
    expect(read?.pages[2]?.text).toContain('Northern light');
    // The master's logo is drawn as vectors, so the page contains no image.
    expect(read?.pages[2]?.images).toBe(0);
    expect(read?.pages[4]?.text).toContain('cm (1:5)');
    const listed = read?.pages.slice(5, 7).map(({ text }) => text.match(/Lamp \d+/g) ?? []) ?? [];
    expect(listed.flat()).toHaveLength(34);
    for (const lines of listed) expect(lines.length).toBeGreaterThan(0);
    expect(read?.pages[7]?.text).toContain('Moss green RAL 6005');
    expect(read?.pages[9]?.text).toContain('The rooms follow the sun.');
    const sheetTexts = (one = read) => one?.pages.map(({ text }) => text.replace(/\s+/g, ' ')) ?? [];
    for (const [index, text] of sheetTexts().slice(2).entries()) {
      expect(text).toContain(`${index + 3} / 12`);
    }
    // PDF/A, image quality, bleed, crop marks and pure black do not change the text of the sheets.
    expect(sheetTexts(readArchived)).toEqual(sheetTexts());
    expect(sheetTexts(readPrinted).slice(2)).toEqual(sheetTexts().slice(2, 6));
    // The master prints the page number, so the footer does not.
    expect(sheetTexts(readHandedOut)).toEqual(['2 / 10Northern lightThe bay']);
    expect(readHandedOut?.pages[0]).toMatchObject({ width: 612, height: 792, images: 1 });
  } finally {
    await files.remove();
  }
});
