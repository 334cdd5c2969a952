import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFArray, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import type { Page } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import type { PageData, PageElement } from '@/lib/document/page-model';
import { type ExportJob, exportsResponse } from '@/lib/export/schema';
import { imageJob, startedResponse } from '@/lib/image-gen/schema';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { waitForExport } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readPdf } from '@/tests/app/support/read-pdf';
import { photo } from '@/tests/pdf/support/documents';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';
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
const option = (words: string) => `::-p-xpath(//*[@role="option"][.="${words}"])`;
const inDialog = (xpath: string) => `::-p-xpath(//*[@role="dialog"]//${xpath})`;

const press = (page: Page, name: string) => page.locator(byRole('button', name)).click();

async function choose(page: Page, label: string, words: string, within = 'aside'): Promise<void> {
  await page.locator(field(label, within)).click();
  await page.locator(option(words)).click();
}

/** Adds an empty page with this title at the end. */
async function addPage(page: Page, number: number, title: string): Promise<void> {
  await page.locator('nav[aria-label=Pages] button[aria-label="Add a page"]').click();
  await page.locator(`${desk}[aria-label="Canvas of page ${number}: 0 elements"]`).wait();
  await page.locator('aside input[maxlength="200"]').fill(title);
}

/** Adds a page from a template of the product. */
async function addFromTemplate(page: Page, number: number, template: string, title: string): Promise<void> {
  await press(page, 'Templates');
  await page.locator('[role=dialog] input').fill(title);
  await press(page, template);
  await page.locator(`${desk}[aria-label^="Canvas of page ${number}, ${title}"]`).wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
}

/** Uploads an image with the dialog for images and inserts it. */
async function insertImage(page: Page, path: string): Promise<void> {
  await takeFrom(page, 'Image', 'From project');
  await chooseFiles(page, '[role=dialog]', path);
  await page.locator('::-p-text(1 image selected)').wait();
  await press(page, 'Insert');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(target('Image')).wait();
}

/** Generates an image from a prompt and a material of the library. */
async function generate(api: Api, projectId: string, materialId: string): Promise<string> {
  const json = { projectId, prompt: 'A living room by the fjord', materialIds: [materialId] };
  const response = await api('/api/image-gen/jobs', { json });
  expect(response.status, excerpt(response)).toBe(202);
  const { jobId } = startedResponse.parse(response.body);
  await poll('the image is generated', async () => {
    const { status } = imageJob.parse((await api(`/api/image-gen/jobs/${jobId}`)).body);
    return status === 'succeeded';
  });
  return jobId;
}

/** Starts an export in the dialog, waits for it and returns the newest job with its PDF. */
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

/** Returns the warnings of an export as their code, page title and element type. */
const warningsOf = ({ warnings }: ExportJob, pages: PageData[]) =>
  warnings.map(({ code, pageId, elementId }) => {
    const on = pages.find(({ id }) => id === pageId);
    return `${code}: ${on?.title}, ${on?.elements.find(({ id }) => id === elementId)?.type}`;
  });

function all<Type extends PageElement['type']>(elements: readonly PageElement[], type: Type) {
  return elements.filter((element): element is Extract<PageElement, { type: Type }> => element.type === type);
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
  try {
    await openDocument(page, email, projectId);
    await page.locator(inAside('Landscape')).click();
    await page.locator('::-p-xpath(//main//button[.="Add a page"])').click();
    await page.locator(`${desk}[aria-label="Canvas of page 1: 0 elements"]`).wait();
    await page.locator('aside input[maxlength="200"]').fill('Arrival');

    // A named style, which a text takes and which then changes the text.
    await press(page, 'Add style');
    await page.locator(byRole('menuitem', 'Heading')).click();
    await press(page, 'Text');
    await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
    await page.keyboard.type('Northern light');
    await page.keyboard.press('Escape');
    await choose(page, 'Style', 'Heading');
    await page.keyboard.press('Escape');
    await page.locator(desk).click({ offset: { x: 5, y: 60 } });
    await page.locator('::-p-xpath(//section[@aria-label="Paragraph styles"]//button[.="Heading"])').click();
    await page
      .locator('::-p-xpath(//*[@aria-label="style Heading"]//label[.="Size"]/following::input[1])')
      .fill('13');

    // A master with the page number.
    await press(page, 'Edit master');
    await page.locator(`${desk}[aria-label="Canvas of master, Default: 0 elements"]`).wait();
    await press(page, 'Insert page number or title');
    await page.locator(byRole('menuitem', 'Page number and total')).click();
    await page.locator(`${desk}[aria-label="Canvas of master, Default: 1 element"]`).wait();
    await press(page, 'Done');

    // A photo over the whole page, described and cropped by keyboard.
    await addPage(page, 2, 'The bay');
    const picture = join(files.path, 'bay.jpg');
    await writeFile(picture, (await photo(1600, 1200)).bytes);
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

    // A material at a fifth of its real size.
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

    // A table from a file, continued on the next page.
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
    await page.locator('aside ::-p-text(Continue on the next page)').click();
    await page.waitForFunction("document.querySelectorAll('[data-open]').length === 5");

    // Two shapes in a group, and a guide pulled from the ruler.
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

    // An image of the studio with the schedule of its materials.
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

    for (const [index, [template, title]] of [
      ['Title and text', 'The idea'],
      ['Moodboard', 'Mood'],
      ['Title and text', 'Thanks'],
    ].entries()) {
      await addFromTemplate(page, 8 + index, template ?? '', title ?? '');
    }
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
    await page.locator('[role=dialog] ul[aria-label="Uploaded images"] button').click();
    await press(page, 'Use image');
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await savingIs(page, 'saved');

    const { pages, styles, cover } = await storedDocument(member, projectId);
    expect(cover.imageId ?? cover.path).toBeTruthy();
    expect(styles).toMatchObject([{ id: 'heading', fontSize: 13 }]);
    expect(all(pages[0]?.elements ?? [], 'text')).toMatchObject([{ styleId: 'heading', fontSize: 13 }]);
    expect(all(pages[1]?.elements ?? [], 'image')[0]?.crop?.w).toBeLessThan(1);
    expect(pages[5]).toMatchObject({ guides: [{ axis: 'x' }] });
    expect(new Set(pages[5]?.elements.map(({ groupId }) => groupId)).size).toBe(1);
    expect(all(pages[6]?.elements ?? [], 'table')).toHaveLength(1);
    expect(pages).toHaveLength(10);

    await press(page, 'Export');
    await page.locator('[role=dialog] ::-p-text(No exports yet.)').wait();
    const whole = await exportNow(page, member, projectId, 0);
    await choose(page, 'Images', 'Archive, 300 dpi (largest file)', '*[@role="dialog"]');
    await choose(page, 'Bleed', '3 mm', '*[@role="dialog"]');
    await page.locator(inDialog('label[.="Crop marks"]')).click();
    await page.locator(inDialog('label[.="Pure black text"]')).click();
    await page.locator(inDialog('label[.="Range"]')).click();
    await page.locator('[role=dialog] input[aria-label="Page range"]').fill('1-4');
    const printed = await exportNow(page, member, projectId, 1);
    await choose(page, 'Images', 'Screen, 110 dpi (smallest file)', '*[@role="dialog"]');
    await choose(page, 'Bleed', 'None', '*[@role="dialog"]');
    await page.locator(inDialog('label[.="Crop marks"]')).click();
    await page.locator(inDialog('label[.="All"]')).click();
    await page.locator(inDialog('label[.="Archive standard (PDF/A-2a)"]')).click();
    const archived = await exportNow(page, member, projectId, 2);

    for (const { job, pdf } of [whole, printed, archived]) {
      // The generated images are small.
      const warnings = warningsOf(job, pages).filter((warning) => !warning.startsWith('low_resolution'));
      // The photo ends at the edge of the page, and frames of the mood board are empty.
      const expected = job === printed.job ? 'no_bleed: The bay, image' : 'image_missing: Mood, image';
      expect(new Set(warnings)).toEqual(new Set([expected]));
      expect((await inspectPdf(pdf)).problems).toEqual([]);
    }
    expect([whole, printed, archived].map(({ job }) => job.pageCount)).toEqual([12, 6, 12]);
    const attached = await Promise.all([whole, printed, archived].map(({ pdf }) => attachedFiles(pdf)));
    expect(attached).toEqual([1, 1, 0]);
    expect(archived.pdf.includes('<pdfaid:part>2</pdfaid:part>')).toBe(true);
    const boxes = (await PDFDocument.load(printed.pdf)).getPages().map((sheet) => ({
      bleed: sheet.getBleedBox().width - sheet.getTrimBox().width,
      marks: sheet.getMediaBox().width > sheet.getBleedBox().width,
    }));
    expect(boxes).toHaveLength(6);
    for (const { bleed, marks } of boxes) {
      expect(bleed).toBeCloseTo((6 / 25.4) * 72, 0);
      expect(marks).toBe(true);
    }
    const read = await readPdf(new Uint8Array(whole.pdf));
    expect(read).toMatchObject({ title: 'Villa Nordlys', isTagged: true });
    expect(read.pages[0]?.text).toContain('Family Bergström');
    // The contents do not list the page on which the table continues.
    expect(read.pages[1]?.targets).toEqual([3, 4, 5, 6, 8, 9, 10, 11, 12]);
    expect(read.pages[2]?.text).toContain('Northern light');
    const listed = read.pages.slice(5, 7).map(({ text }) => text.match(/Lamp \d+/g) ?? []);
    expect(listed.flat()).toHaveLength(34);
    for (const lines of listed) expect(lines.length).toBeGreaterThan(0);
    for (const [index, sheet] of read.pages.slice(2).entries()) {
      expect(sheet.text.replace(/\s+/g, ' ')).toContain(`${index + 3} / 12`);
    }
  } finally {
    await files.remove();
  }
});
