import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { findWords, wordsOf } from '@/components/specs/reader/find-words';
import { partsOf } from '@/components/specs/reader/open-pdf';
import { describeFound } from '@/components/specs/reader/reader-toolbar';
import { readPages, readWords } from '@/components/specs/reader/use-find';
import { largestScale, pixelRatio, scaleOf, zoomStep } from '@/components/specs/reader/zoom';
import { openBytes } from '@/lib/specs/pdf/open-pdf';
import { rawPdf } from '@/tests/pdf/support/raw-pdf';

describe('the search in a PDF', () => {
  const text = 'Fire doors\nclose by themselves. No fire-door is wedged: Überprüfung, Søndergaard.';
  const found = (q: string, match: 'phrase' | 'any' = 'phrase') =>
    findWords(wordsOf(text), q, match).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['fire door', ['Fire doors', 'fire-door']],
    ['FIRE DOORS close', ['Fire doors\nclose']],
    ['uberpruf', ['Überprüfung']],
    ['sondergaard', ['Søndergaard']],
    ['oors', []],
    ['door fire', []],
    ['', []],
    ['%', []],
  ])('a search for %j finds its words in order, the last one as a prefix', (q, expected) => {
    expect(found(q)).toEqual(expected);
  });

  test('a search for any of the words finds each of them', () => {
    expect(found('wedged fire', 'any')).toEqual(['Fire', 'fire', 'wedged']);
  });
});

test('a page that cannot be opened has no words, and the other pages can be searched', async () => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>',
    '(no page)',
  ];
  const document = await openBytes(new Uint8Array(rawPdf({ objects })));
  await expect(document.getPage(2)).rejects.toThrow();
  expect(await readWords(document, 2)).toEqual([]);
});

test('a search reads pages until it has enough words, and says how many pages those are', async () => {
  const words = wordsOf('two words');
  const reads: [number, boolean][] = [];
  const read = (count: number, maxWords: number) =>
    readPages(
      count,
      async () => words,
      ({ pages, isDone }) => reads.push([pages.length, isDone]),
      { maxWords },
    );
  await read(25, 1000);
  await read(25, 44);
  expect(reads).toEqual([
    [20, false],
    [25, true],
    [20, false],
    [22, true],
  ]);
  const found = { matches: [], isLoose: true, isRunning: false, pages: 22 };
  expect(describeFound('oak', found, -1, 25)).toBe('No matches in the first 22 pages');
  expect(describeFound('oak', found, -1, 22)).toBe('No matches');
});

describe('the parts of a file', () => {
  const servers: Server[] = [];
  const signal = new AbortController().signal;
  const file = Buffer.from('0123456789');

  async function serve(respond: RequestListener): Promise<string> {
    const server = createServer(respond);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  const source = (url: string, renewUrl: () => Promise<string | null> = async () => null) =>
    partsOf({ url, sizeBytes: file.length, renewUrl });

  test('a part is requested again from a new URL when the old URL has expired', async () => {
    const url = await serve(({ url, headers }, response) => {
      if (url === '/') return response.writeHead(400).end();
      expect(headers.range).toBe('bytes=2-4');
      return response.writeHead(206).end(file.subarray(2, 5));
    });
    const bytes = await source(url, async () => `${url}new`).read(2, 5, signal);
    expect(Buffer.from(bytes).toString()).toBe('234');
  });

  test('a file from a server that ignores ranges is loaded once', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end(file);
    });
    const { read } = source(url);
    expect(Buffer.from(await read(2, 5, signal)).toString()).toBe('234');
    expect(Buffer.from(await read(8, 10, signal)).toString()).toBe('89');
    expect(requests).toBe(1);
  });

  test('a lost connection and a URL that cannot be renewed do not count as a damaged PDF', async () => {
    const cut = await serve((_, response) => {
      response.writeHead(206, { 'content-length': 10 });
      response.write('01', () => response.destroy());
    });
    await expect(source(cut).read(0, 10, signal)).rejects.toMatchObject({ problem: 'offline' });
    const expired = await serve((_, response) => void response.writeHead(400).end());
    const lost = source(expired, () => Promise.reject(new Error('no connection')));
    await expect(lost.read(0, 10, signal)).rejects.toMatchObject({ problem: 'offline' });
    expect(lost.waiting.count).toBe(0);
    await expect(source(expired).read(0, 10, signal)).rejects.toMatchObject({ problem: 'missing' });
  });
});

describe('the zoom of a PDF', () => {
  const page = { width: 600, height: 800 };

  test('a page fits the width of the reader, or all of it is visible', () => {
    expect(scaleOf('width', page, { width: 624, height: 424 })).toBe(1);
    expect(scaleOf('page', page, { width: 624, height: 424 })).toBe(0.5);
    expect(scaleOf(2, page, { width: 624, height: 424 })).toBe(2);
  });

  test('a very long document is not zoomed beyond the height that browsers can show', () => {
    expect(largestScale(200 * 800)).toBe(4);
    const max = largestScale(10_000 * 800);
    expect(max * 10_000 * 800).toBe(16_000_000);
    const wide = { width: 6024, height: 424 };
    expect([scaleOf(4, page, wide, max), scaleOf('width', page, wide, max), zoomStep(1.9, 1, max)]).toEqual([
      2, 2, 2,
    ]);
  });

  test('a zoom step goes from any scale to the next step and stays within the limits', () => {
    expect([zoomStep(0.93, 1), zoomStep(0.93, -1), zoomStep(1, 1)]).toEqual([1, 0.75, 1.25]);
    expect([zoomStep(4, 1), zoomStep(0.1, -1)]).toEqual([4, 0.1]);
  });

  test('the canvas of a huge page has a bounded number of pixels', () => {
    expect(pixelRatio(page, 3)).toBe(2);
    const huge = { width: 20_000, height: 20_000 };
    expect((huge.width * pixelRatio(huge, 2)) ** 2).toBeLessThanOrEqual(16 * 1024 * 1024 + 1);
  });
});
