import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMBEDDED_NAME } from '@/lib/document/embedded-name';
import { projectDocument } from '@/lib/document/schema';
import { embeddedParts } from '@/lib/export/embedded-document';
import { parseEmbedded, withImages } from '@/lib/export/open-embedded';
import { openedDocument } from '@/lib/export/schema';
import { type Bytes, joinBytes } from '@/lib/http/join-bytes';
import { readAttachment } from '@/lib/specs/pdf/read-attachment';
import { embedded, pdfWith } from '@/tests/app/support/embedded-pdf';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(pdf: Uint8Array | string, limits = {}): Promise<string> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, pdf);
  const handle = await open(path);
  try {
    return new TextDecoder().decode(await readAttachment(handle.fd, limits));
  } finally {
    await handle.close();
  }
}

/**
 * Returns a PDF whose embedded document is this deflated stream. `others` adds entries to the PDF's list of embedded
 * files, and `kids` adds keys to the dictionary of that list.
 */
function pdfWithStream(stream: Uint8Array, kids = '', others = ''): Buffer {
  const head = [
    '%PDF-1.7',
    `1 0 obj <</Type /Catalog /Pages 2 0 R /Names <</EmbeddedFiles 6 0 R>>>> endobj`,
    '2 0 obj <</Type /Pages /Count 1 /Kids [3 0 R]>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>> endobj',
    '4 0 obj <</Type /Filespec /F (a) /EF <</F 5 0 R>>>> endobj',
    `6 0 obj <</Names [${others} (${EMBEDDED_NAME}) 4 0 R] ${kids}>> endobj`,
    `5 0 obj <</Type /EmbeddedFile /Filter /FlateDecode /Length ${stream.length}>> stream\n`,
  ].join('\n');
  const tail = '\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n';
  return Buffer.concat([Buffer.from(head), stream, Buffer.from(tail)]);
}

describe('reading the document of a PDF', () => {
  test('the embedded document is read, even among 1,000 other embedded files', async () => {
    expect(await read(await pdfWith('{"a":"é木"}'))).toBe('{"a":"é木"}');
    const others = Array.from({ length: 1000 }, (_, n) => `(file-${n}) 9 0 R`).join(' ');
    expect(await read(pdfWithStream(deflateSync(Buffer.from('{}')), '', others))).toBe('{}');
  });

  test('a PDF without a document and a file that is not a PDF are rejected with the reason', async () => {
    await expect(read(await pdfWith('{}', 'notes.json'))).rejects.toThrow(
      'The PDF has no editable document.',
    );
    await expect(read('hello')).rejects.toThrow('The PDF cannot be read.');
    await expect(read('')).rejects.toThrow('The PDF cannot be read.');
  });

  test('an embedded file that decompresses to far more than a document is rejected within the limits of its process', {
    tags: ['extended'],
  }, async () => {
    const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024, 32));
    await expect(read(pdfWithStream(bomb))).rejects.toThrow('The PDF takes too much time or memory to open.');
  });

  test('a list of embedded files that contains itself is rejected', async () => {
    const document = deflateSync(Buffer.from('{}'));
    expect(await read(pdfWithStream(document))).toBe('{}');
    const refused = read(pdfWithStream(document, '/Kids [6 0 R]'));
    await expect(refused).rejects.toThrow('The PDF cannot be read.');
  });
});

const bytes = (text: string): Bytes => joinBytes([new TextEncoder().encode(text)]);
const projectId = 'b0000000-0000-4000-8000-000000000001';
const frame = { x: 0, y: 0, w: 50, h: 50 };

describe('an embedded document', () => {
  test('an embedded document has everything unless the export has a page range, and then only what these pages need', () => {
    const document = projectDocument.parse({
      version: 1,
      includecover: true,
      cover: { client: 'Nordlys' },
      masters: [
        { id: 'default', elements: [] },
        { id: 'draft', elements: [] },
      ],
      pages: [
        { id: 'a', elements: [] },
        { id: 'b', masterId: 'draft', elements: [] },
      ],
    });
    const partsOf = (pages: string | null, includecover: boolean) => {
      const parts = embeddedParts(document, { pages, includecover });
      const ids = [...parts.pages, ...parts.masters].map(({ id }) => id);
      return [...ids, parts.front.cover?.client, parts.front.includecover];
    };
    expect(partsOf(null, false)).toEqual(['a', 'b', 'default', 'draft', 'Nordlys', true]);
    expect(partsOf('2', true)).toEqual(['b', 'draft', 'Nordlys', true]);
    expect(partsOf('1', false)).toEqual(['a', 'default', undefined, false]);
  });

  test('copied images get their new ids, and frames without an image are named', () => {
    const other = crypto.randomUUID();
    const pages = [
      {
        id: 'p',
        title: 'Wall',
        elements: [
          { ...frame, id: 'own', type: 'image', path: 'images/own.png' },
          { ...frame, id: 'copied', type: 'image', imageId: other },
          {
            ...frame,
            id: 'gone',
            type: 'material',
            materialId: 'oak',
            title: 'Oak',
            path: 'images/gone.png',
          },
          {
            ...frame,
            id: 'cells',
            type: 'table',
            columns: [{ label: '' }],
            rows: [[{ imageId: other, text: 'Oak' }], ['Ash']],
          },
        ],
      },
    ];
    const json = bytes(embedded(projectId, pages, { cover: { path: 'images/cover.png' } }));
    expect(parseEmbedded(json)).toEqual({
      imageKeys: ['images/cover.png', 'images/own.png', other, 'images/gone.png'],
    });
    const copy = crypto.randomUUID();
    const images = new Map([
      ['images/own.png', null],
      [other, copy],
    ]);
    const opened = openedDocument.parse(JSON.parse(new TextDecoder().decode(withImages(json, images))));
    expect(opened.document.pages[0]?.elements).toMatchObject([
      { path: 'images/own.png', imageId: null },
      { path: null, imageId: copy },
      { path: null, imageId: null },
      { rows: [[{ path: null, imageId: copy, text: 'Oak' }], ['Ash']] },
    ]);
    expect(opened.document.cover).toMatchObject({ path: null, imageId: null });
    expect(opened.notices).toEqual([
      'Page 1 “Wall”, material 3 “gone”: the image is not available, so the frame is empty.',
      'Cover: the image is not available, so the frame is empty.',
    ]);
  });

  test('an embedded document is checked like any input', () => {
    const refused = (content: string) => () => parseEmbedded(bytes(content));
    expect(refused('not JSON')).toThrow();
    expect(refused('[]')).toThrow();
    expect(refused(embedded(projectId, [], { atelier: 2 }))).toThrow('a newer version of Atelier');
    expect(refused(embedded('../../etc', []))).toThrow();
    expect(refused(embedded(projectId, [{ id: 'p', elements: [{ id: 'e', type: 'html' }] }]))).toThrow();
    const many = Array.from({ length: 201 }, (_, n) => ({ id: `p${n}`, elements: [] }));
    expect(refused(embedded(projectId, many))).toThrow('must have at most 200 pages');
  });
});
