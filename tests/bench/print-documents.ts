import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { documentHtml } from '@/app/document-html';
import type { PageInput } from '@/lib/document/page-model';
import type { PdfTools } from '@/lib/pdf/make-pdf';
import { interleaved, timed } from '@/tests/bench/timing';
import { photo, studioPage } from '@/tests/pdf/support/documents';
import { type Order, openPrintShop, type PrintShop, type ShopFile } from '@/tests/pdf/support/print-shop';

// This program runs in a separate process, so that its memory can be measured separately from the benchmark's. It
// prints its result as JSON.

const PAGES = 200;
/** A smaller number of pages, for measurements that would otherwise take too long. */
const FEWER = 100;
const ROUNDS = 5;
/** Milliseconds to wait after a print, so that one renderer can exit and the next one can start. */
const REST_MS = 800;
/** The number of simultaneous exports. */
const EIGHT = 8;
/** The number of pages in each of the simultaneous exports. */
const FIFTY = 50;

/**
 * Makes pages with one photo each and a swatch that all pages share. Cuts the photos from one large image and stores
 * them in files. The large image is as detailed as a camera's photo.
 */
async function photoPages(shop: PrintShop, count = PAGES): Promise<Order> {
  const folder = `${shop.folder}-photos`;
  await mkdir(folder);
  const large = await photo(2400, 1600, { grain: 40 });
  // Cut the photos from raw pixels, so the large image is decoded only once.
  const { data, info } = await sharp(large.bytes).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const files: Record<string, ShopFile> = { swatch: await photo(512, 512, { seed: 2 }) };
  const pages: PageInput[] = [];
  for (let number = 1; number <= count; number += 1) {
    const [left, top] = [(number * 37) % 800, (number * 53) % 600];
    const part = sharp(data, { raw }).extract({ left, top, width: 1600, height: 1000 });
    const path = join(folder, `${number}.jpg`);
    await part.jpeg({ quality: 85 }).toFile(path);
    files[`photo-${number}`] = { width: 1600, height: 1000, bytes: () => readFile(path) };
    pages.push(studioPage(number, `photo-${number}`, 'swatch'));
  }
  return { pages, files };
}

async function readThrough({ pdf }: { pdf: AsyncIterable<Uint8Array> }): Promise<number> {
  let bytes = 0;
  for await (const piece of pdf) bytes += piece.byteLength;
  return bytes;
}

async function keptBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const kept = names.filter((name) => /^[0-9a-f]{2}[/\\]/.test(name));
  const sizes = await Promise.all(kept.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Prints eight documents at once, each with 50 of 100 photos, so four documents share each photo. Returns the duration
 * in milliseconds.
 */
async function eight(shop: PrintShop, way: 'streamFast' | 'streamPlain'): Promise<number> {
  const { pages, files } = await photoPages(shop, FEWER);
  const orders = Array.from({ length: EIGHT }, (_, n) => {
    const first = Math.floor((n * FEWER) / EIGHT);
    return { files, pages: [...pages, ...pages].slice(first, first + FIFTY) };
  });
  return timed(() => Promise.all(orders.map((order) => shop[way](order, readThrough))));
}

const work: Record<string, (shop: PrintShop) => Promise<unknown>> = {
  time: async (shop) => {
    const order = await photoPages(shop);
    const fast = () => shop.streamFast(order, readThrough);
    const plain = () => shop.streamPlain(order, readThrough);
    // The first runs of `fast` and `plain` make the derived images and load everything that later runs reuse.
    await fast();
    await plain();
    const [one, other] = await interleaved(ROUNDS, fast, plain, REST_MS);
    return { fast: one, plain: other };
  },
  size: async (shop) => {
    const bytes = await shop.streamFast(await photoPages(shop), readThrough);
    return { bytes, images: await keptBytes(shop.folder), pages: PAGES };
  },
  fast: async (shop) => shop.streamFast(await photoPages(shop), readThrough),
  plain: async (shop) => shop.streamPlain(await photoPages(shop), readThrough),
  'fast-8': (shop) => eight(shop, 'streamFast'),
  'plain-8': (shop) => eight(shop, 'streamPlain'),
  one: async (shop) => {
    const page = studioPage(1, 'photo', 'swatch');
    const files = { photo: await photo(1600, 1000), swatch: await photo(512, 512, { seed: 2 }) };
    const rendered: number[] = [];
    const whole: number[] = [];
    const withBrowser: PdfTools['withBrowser'] = async (work) => {
      const from = performance.now();
      const result = await shop.tools.withBrowser(work);
      rendered.push(performance.now() - from);
      return result;
    };
    for (let round = 0; round < 60; round += 1) {
      whole.push(await timed(() => shop.make({ pages: [page], files }, { withBrowser })));
      await sleep(REST_MS / 2);
    }
    return { rendered: rendered.slice(20), whole: whole.slice(20) };
  },
  /**
   * Prints a document to a file, and returns how many milliseconds the printing took. Also stores the document as HTML,
   * with the image files beside it, so that other programs can print it.
   */
  'beside-html': async (shop) => {
    const folder = process.argv[3] ?? '';
    const order = await photoPages(shop, FEWER);
    const ms = await timed(() =>
      shop.streamFast(order, ({ pdf }) => writeFile(join(folder, 'ours.pdf'), pdf)),
    );
    const { job, tools } = shop.prepare(order);
    for (const { path } of job.files) {
      await writeFile(join(folder, `${path}.jpg`), (await tools.readFile(path, 1e9, job.signal)) ?? '');
    }
    const images = new Map(job.files.map((file) => [file.key, { ...file, src: `${file.path}.jpg` }]));
    const html = await documentHtml({ plan: job.plan, title: job.title, images, imageSource: 'file:' });
    await writeFile(join(folder, 'document.html'), html);
    return ms;
  },
};

const shop = await openPrintShop();
try {
  const result = await work[process.argv[2] ?? '']?.(shop);
  process.stdout.write(`${JSON.stringify(result ?? null)}\n`);
} finally {
  await shop.close();
}
