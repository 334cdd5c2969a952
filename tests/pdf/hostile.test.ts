import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import type { RenderHtml } from '@/lib/pdf/make-pdf';
import { SpliceRefusal } from '@/lib/pdf/splice/chunk-pdf';
import { readPdf } from '@/tests/app/support/read-pdf';
import { hostileHtml } from '@/tests/pdf/support/hostile-html';
import { openPrintShop, type PrintShop } from '@/tests/pdf/support/print-shop';

let shop: PrintShop;
let server: Server;
let out: string;
const datagrams = createSocket('udp4');
/** The requests, connections and datagrams that reached the host and port of `out`. */
const hits: string[] = [];

beforeAll(async () => {
  shop = await openPrintShop();
  server = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('secret');
  });
  server.on('connection', () => hits.push('a connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  out = `http://127.0.0.1:${port}`;
  datagrams.on('message', () => hits.push('a datagram')).bind(port, '127.0.0.1');
  await once(datagrams, 'listening');
});
beforeEach(() => {
  hits.length = 0;
});
afterAll(async () => {
  server?.close();
  datagrams.close();
  await shop?.close();
});

/** Returns a document with a page for each text. */
const pagesWith = (texts: string[]) => ({
  pages: texts.map((text, index) => ({
    id: `p${index}`,
    elements: [
      {
        id: `t${index}`,
        type: 'text' as const,
        x: 20,
        y: 20,
        w: 150,
        h: 150,
        blocks: [{ type: 'paragraph' as const, runs: [{ text }] }],
      },
    ],
  })),
});

const POLICY = /<meta http-equiv="Content-Security-Policy"[^>]*>/;

/**
 * Returns a renderer that inserts the markup with index N after the text `kept-N.`, as if text had not been escaped.
 * The renderer also removes the content security policy.
 */
const withMarkup =
  (markup: string[]): RenderHtml =>
  async (input) => {
    const html = await documentHtml(input);
    expect(html).toMatch(POLICY);
    return html
      .replace(POLICY, '')
      .replace(/kept-(\d+)\./g, (text, index) => `${text} inserted ${markup[index]}`);
  };

/**
 * Returns whether the markup with this name is a meta refresh. A meta refresh loads nothing, but the printed page may
 * be blank.
 */
const leaves = (vector: string) => vector.startsWith('refresh');
/** Returns whether the markup with this name is a video player, which may draw additional images. */
const isVideo = (vector: string) => ['video', 'poster', 'track'].includes(vector);

/** Proves that the server would have recorded a request. */
async function expectRecorded(): Promise<void> {
  await fetch(`${out}/ours`);
  expect(hits).toContain('/ours');
}

for (const way of ['fast', 'plain'] as const) {
  test(`pages with hostile markup of each kind print only their own text, and reach nothing, on the ${way} path`, async () => {
    const vectors = Object.entries(hostileHtml(out)).filter(([name]) => !leaves(name) && !isVideo(name));
    const texts = vectors.map((_, index) => `kept-${index}.`);
    const { pdf } = await shop[way](pagesWith(texts), {
      render: withMarkup(vectors.map(([, markup]) => markup)),
    });
    const { title, pages } = await readPdf(new Uint8Array(pdf));
    expect(title).toBe(shop.title);
    for (const [index, [name]] of vectors.entries()) {
      const text = pages[index]?.text;
      expect(text, name).toContain(`kept-${index}. inserted`);
      expect(text, name).not.toMatch(/ran|secret|root:/);
    }
    expect(hits).toEqual([]);
    await expectRecorded();
  });

  test(`no markup runs, reaches out or reads a file on the ${way} path`, { tags: ['extended'] }, async () => {
    const vectors = Object.entries(hostileHtml(out));
    expect(vectors.length).toBeGreaterThanOrEqual(46);
    const refused: string[] = [];
    for (const [name, markup] of vectors) {
      const printing = shop[way](pagesWith(['kept-0.']), { render: withMarkup([markup]) });
      const made = await printing.catch((error: unknown) => {
        // Splicing rejects a part with an additional image, but only after that part has been printed.
        if (!(error instanceof SpliceRefusal)) throw error;
        if (!leaves(name)) refused.push(name);
      });
      if (!made) continue;
      const { title, pages } = await readPdf(new Uint8Array(made.pdf));
      const text = pages.map((page) => page.text).join('');
      expect([title, text].join(), name).not.toMatch(/ran|secret|root:/);
      if (!leaves(name))
        expect([title, text], name).toEqual([shop.title, expect.stringContaining('kept-0. inserted')]);
    }
    expect(hits).toEqual([]);
    expect(refused.filter((name) => way === 'plain' || !isVideo(name))).toEqual([]);
    await expectRecorded();
  });
}
