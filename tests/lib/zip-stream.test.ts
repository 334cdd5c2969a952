import { expect, test } from 'vitest';
import { csvOf } from '@/lib/http/csv';
import { fileNamePart } from '@/lib/http/zip-names';
import { type ZipEntry, zipStream } from '@/lib/http/zip-stream';
import { readZip } from '@/tests/app/support/read-zip';

const modified = new Date('2026-03-04T05:06:08Z');

async function bytesOf(entries: () => AsyncGenerator<ZipEntry>): Promise<Buffer> {
  const stream = zipStream(entries(), () => {});
  return Buffer.from(await new Response(stream).arrayBuffer());
}

test('a ZIP file has all files with their bytes, names and times', async () => {
  const files = [
    { name: 'Café/1.1 a lobby 東京.png', bytes: Buffer.from('first'), modified },
    { name: 'Café/empty.csv', bytes: Buffer.alloc(0), modified },
  ];
  const zip = await bytesOf(async function* () {
    yield* files;
  });
  expect(readZip(zip)).toEqual(files.map(({ name, bytes }) => ({ name, bytes, modified })));
});

test('a file that fails ends the stream with its error, and the bytes sent are not a valid ZIP file', async () => {
  const errors: unknown[] = [];
  const failure = new Error('storage is down');
  const stream = zipStream(
    (async function* () {
      yield { name: 'a.png', bytes: Buffer.from('a'), modified };
      throw failure;
    })(),
    (error) => errors.push(error),
  );
  const chunks: Uint8Array[] = [];
  const read = async () => {
    for await (const chunk of stream) chunks.push(chunk);
  };
  await expect(read()).rejects.toBe(failure);
  expect(errors).toEqual([failure]);
  expect(() => readZip(Buffer.concat(chunks))).toThrow();
});

test('a reader that stops leaves the remaining files unread', async () => {
  let ended = false;
  const errors: unknown[] = [];
  const stream = zipStream(
    (async function* () {
      try {
        for (;;) yield { name: 'a.png', bytes: Buffer.from('a'), modified };
      } finally {
        ended = true;
      }
    })(),
    (error) => errors.push(error),
  );
  const reader = stream.getReader();
  await reader.read();
  // `cancel` rejects with the reason that it is given.
  await reader.cancel(new Error('gone')).catch(() => undefined);
  expect(ended).toBe(true);
  expect(errors).toEqual([]);
});

test('no cell of a CSV file is read as a formula, and quotes and line breaks stay in their cell', () => {
  const rows = [
    ['=1+1', '+1', '-1', '@a', '\t=1', '\r=1'],
    ['a "b",\nc', -7, 'a=b', ''],
  ];
  expect(csvOf(rows)).toBe(
    `\ufeff"'=1+1","'+1","'-1","'@a","'\t=1","'\r=1"\r\n"a ""b"",\nc",-7,"a=b",""\r\n`,
  );
});

test('a file name has no folders and no characters that an operating system forbids', () => {
  expect(fileNamePart('../../etc\\passwd: "a*b?" <c>|\u202e\u0000d. .', 60)).toBe('etc passwd a b c d');
  expect(fileNamePart(' a\tcalm\nlobby ', 6)).toBe('a calm');
  expect(fileNamePart('東京 🏛️ lobby', 60)).toMatch(/^東京 🏛/);
  // Most systems limit a file name to 255 bytes. Names are cut to at most 230 bytes, which leaves room for a number and
  // an ending. Windows reserves some names for devices, so these names get an underscore.
  expect(fileNamePart('東'.repeat(120), 120)).toBe('東'.repeat(76));
  expect(['Aux', 'com1.pdf', 'Auxiliary'].map((name) => fileNamePart(name, 60))).toEqual([
    'Aux_',
    'com1_.pdf',
    'Auxiliary',
  ]);
});
