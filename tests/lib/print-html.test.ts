import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '@/lib/export/chromium/launch';
import { countPdfPages } from '@/lib/export/count-pdf-pages';
import { IMAGE_ORIGIN, type PrintJob, printHtml } from '@/lib/export/print-html';
import { readPdf } from '@/tests/app/read-pdf';
import { makeDataDir } from '@/tests/setup/temporary-dir';

let dataDir: Awaited<ReturnType<typeof makeDataDir>>;
let chromium: Awaited<ReturnType<typeof launchChromium>>;
let listener: Server;
const hits: string[] = [];
beforeAll(async () => {
  dataDir = await makeDataDir();
  chromium = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, 'profile'),
    log: { warn: () => {} },
  });
  listener = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end('secret');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  listener?.close();
  await dataDir?.remove();
});

const print = (html: string, more: Partial<PrintJob> = {}) =>
  printHtml(chromium.browser, () => process.kill(chromium.pid, 'SIGKILL'), {
    html: `<!doctype html><html lang="en"><title>t</title><body>${html}</body></html>`,
    image: async () => null,
    signal: AbortSignal.timeout(30_000),
    ...more,
  });

test('prints what it is given, with images that it asks for', async () => {
  const body = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a05030' } })
    .jpeg()
    .toBuffer();
  const asked: string[] = [];
  const { pdf, overflows } = await print(
    `<p>First</p><img src="${IMAGE_ORIGIN}one"><p style="break-before: page">Second</p>`,
    {
      image: async (name) => {
        asked.push(name);
        return { body, contentType: 'image/jpeg' };
      },
    },
  );
  expect([asked, overflows, countPdfPages(pdf)]).toEqual([['one'], [], 2]);
  const { pages } = await readPdf(pdf);
  expect(pages.map(({ text, images }) => [text, images])).toEqual([
    ['First', 1],
    ['Second', 0],
  ]);
});

test('runs nothing, reaches nothing and reads no file, whatever the page says', async () => {
  const { port } = listener.address() as AddressInfo;
  const out = `http://127.0.0.1:${port}`;
  const vectors = [
    `<img src="${out}/img"><img srcset="${out}/srcset 2x"><picture><source srcset="${out}/source"><img></picture>`,
    `<iframe src="${out}/iframe"></iframe><iframe srcdoc="<img src='${out}/srcdoc'>"></iframe>`,
    `<object data="${out}/object"></object><embed src="${out}/embed"><video src="${out}/video" poster="${out}/poster"></video>`,
    `<audio src="${out}/audio" autoplay></audio><svg><image href="${out}/svg"/><use href="${out}/use#x"/></svg>`,
    `<link rel="stylesheet" href="${out}/css"><link rel="prefetch" href="${out}/prefetch"><link rel="preload" as="image" href="${out}/preload">`,
    `<link rel="preconnect" href="${out}"><link rel="dns-prefetch" href="//leak.invalid"><link rel="manifest" href="${out}/manifest">`,
    `<link rel="prerender" href="${out}/prerender"><link rel="modulepreload" href="${out}/module"><link rel="icon" href="${out}/icon">`,
    `<style>@import url(${out}/import); @font-face { font-family: f; src: url(${out}/font); } i { font-family: f; background: url(${out}/background); content: url(${out}/content); cursor: url(${out}/cursor), auto; }</style><i>i</i>`,
    `<p style="background-image: image-set(url(${out}/set) 1x); mask: url(${out}/mask); filter: url(${out}/filter#x)">p</p>`,
    `<script>fetch('${out}/fetch'); new WebSocket('${out.replace('http', 'ws')}/socket'); document.title = 'ran'; document.body.append('ran')</script>`,
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${out}/rules"]}]}</script>`,
    `<script src="${out}/script"></script><img src=x onerror="document.body.append('ran')"><body onload="document.body.append('ran')">`,
    `<form action="${out}/form"><input autofocus onfocus="this.form.submit()"></form><a href="${out}/ping" ping="${out}/ping">a</a>`,
    `<iframe src="file:///etc/passwd"></iframe><object data="file:///etc/passwd"></object><img src="file:///etc/passwd">`,
    `<base href="${out}/"><img src="relative"><meta http-equiv="refresh" content="0;url=${out}/refresh">`,
  ];
  for (const vector of vectors) {
    const { pdf } = await print(`<p>kept</p>${vector}`);
    const { title, pages } = await readPdf(pdf);
    const text = pages.map((page) => page.text).join('');
    expect(title, vector).not.toBe('ran');
    // A page that leaves itself comes to nowhere, and what is printed then is blank.
    if (!vector.includes('refresh')) expect(text, vector).toContain('kept');
    expect(text, vector).not.toMatch(/ran|secret|root:/);
  }
  expect(hits).toEqual([]);
  // The listener would have heard it.
  await fetch(`${out}/ours`);
  expect(hits).toEqual(['/ours']);
});

test('called off ends at once and leaves the browser to others', async () => {
  const calledOff = new AbortController();
  const never = Promise.withResolvers<null>();
  const printing = print(`<img src="${IMAGE_ORIGIN}never">`, {
    signal: calledOff.signal,
    image: () => {
      calledOff.abort(new Error('called off'));
      return never.promise;
    },
  });
  await expect(printing).rejects.toThrow('called off');
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

test('passes on why an image could not be had', async () => {
  const image = () => Promise.reject(new Error('the store is away'));
  await expect(print(`<img src="${IMAGE_ORIGIN}x">`, { image })).rejects.toThrow('the store is away');
});
