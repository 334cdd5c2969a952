import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { pageStyler } from '@/lib/document/styles/apply-styles';
import { templateStyles } from '@/lib/document/styles/named-styles';
import { swapTemplate } from '@/lib/document/templates/swap-page';
import { templates } from '@/lib/document/templates/templates';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { countPdfPages } from '@/lib/pdf/count-pdf-pages';
import { IMAGE_ORIGIN, type PrintJob, printHtml } from '@/lib/pdf/print-html';
import { readPdf } from '@/tests/app/support/read-pdf';
import { hostileHtml } from '@/tests/pdf/support/hostile-html';
import { type DataDir, makePrintingDataDir } from '@/tests/setup/temporary-dir';

let dataDir: DataDir;
let chromium: Awaited<ReturnType<typeof launchChromium>>;
beforeAll(async () => {
  dataDir = await makePrintingDataDir();
  chromium = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, 'profile'),
    log: { warn: () => {} },
  });
});
afterAll(async () => {
  await chromium?.close();
  await dataDir?.remove();
});

const print = (html: string, more: Partial<PrintJob> = {}) =>
  printHtml(chromium.browser, () => process.kill(chromium.pid, 'SIGKILL'), {
    html: `<!doctype html><html lang="en"><title>t</title><body>${html}</body></html>`,
    image: async () => null,
    signal: AbortSignal.timeout(600_000),
    ...more,
  });

test('printHtml prints the given HTML with the images that it requests', async () => {
  const body = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer();
  const requests: string[] = [];
  const { pdf, overflows } = await print(
    `<p>First</p><img src="${IMAGE_ORIGIN}one"><p style="break-before: page">Second</p>`,
    {
      image: async (name) => {
        requests.push(name);
        return { body, contentType: 'image/jpeg' };
      },
    },
  );
  expect([requests, overflows, countPdfPages(pdf)]).toEqual([['one'], [], 2]);
  const { pages } = await readPdf(pdf);
  expect(pages.map(({ text, images }) => [text, images])).toEqual([
    ['First', 1],
    ['Second', 0],
  ]);
});

test('a canceled print ends at once, and the browser can print the next document', async () => {
  const canceled = new AbortController();
  const never = Promise.withResolvers<null>();
  const printing = print(`<img src="${IMAGE_ORIGIN}never">`, {
    signal: canceled.signal,
    image: () => {
      canceled.abort(new Error('canceled'));
      return never.promise;
    },
  });
  await expect(printing).rejects.toThrow('canceled');
  expect(
    await Promise.all(
      chromium.browser
        .browserContexts()
        .slice(1)
        .map((context) => context.pages()),
    ),
  ).toEqual([]);
  expect(countPdfPages((await print('<p>next</p>')).pdf)).toBe(1);
});

test('a print fails with the error of an image', async () => {
  const image = () => Promise.reject(new Error('the store is away'));
  await expect(print(`<img src="${IMAGE_ORIGIN}x">`, { image })).rejects.toThrow('the store is away');
});

// `tests/pdf/hostile.test.ts` prints all of `hostileHtml` in documents of the product.
test.each([
  'img',
  'iframe',
  'stylesheet',
  'css import',
  'fetch',
  'script file',
  'on error',
  'file frame',
  'file image',
])('markup that is not escaped (%s) runs nothing, loads nothing and reads no file', async (name) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end('secret');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const markup = hostileHtml(url)[name];
  expect(markup).toBeDefined();
  const { title, pages } = await readPdf((await print(`<p>kept</p>${markup}`)).pdf);
  expect([title, ...pages.map(({ text }) => text)].join(' ')).toMatch(/^t kept(?!.*(ran|secret|root:))/s);
  expect(requests).toEqual([]);
  // The server would have recorded a request.
  await fetch(url);
  expect(requests).toEqual(['/']);
  server.close();
});

test.each([
  ['A4', 'portrait'],
  ['A4', 'landscape'],
  ['16:9', 'landscape'],
] as const)(
  'the headings of templates on %s %s fit their frames in any heading style',
  async (format, orientation) => {
    const content = { text: '', images: [], materials: [] };
    const titles = [
      'Lobby',
      'The lobby, the two lounges and the terrace of the Harbour Hotel in the evening, seen from the stairs',
    ];
    for (const fontSize of [9, 12.5, 20, 32, 48]) {
      const styles = [{ ...templateStyles.heading, fontSize }];
      const paper = projectDocument.parse({ version: 0, pages: [], format, orientation, styles });
      const pages = [...templates, swapTemplate].flatMap((template) =>
        titles.map((title, index) => template.make(paper, { ...content, title }, `${template.id}-${index}`)),
      );
      const document = { ...paper, pages: pages.map(pageStyler({ styles, colors: [] })) };
      const plan = planSheets(document, 'Hotel', exportOptions.parse({}));
      const html = await documentHtml({ plan, title: 'Hotel', images: new Map(), imageSource: 'data:' });
      const { overflows } = await printHtml(chromium.browser, () => {}, {
        html,
        image: async () => null,
        signal: AbortSignal.timeout(600_000),
      });
      expect(overflows, `${fontSize} pt`).toEqual([]);
    }
  },
);
