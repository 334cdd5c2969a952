import { expect, test } from 'vitest';
import { namesInCsv } from '@/components/catalogue/names-in-csv';
import { decodeCsv } from '@/components/csv/read-csv';

test('names are read from the first column of a CSV file, without its heading and empty lines', async () => {
  const csv = '\ufeffBrand,Country\r\n"Fjell, Spa & ""Sauna""",NO\r\n\r\n  Nordlys  ,SE\r\n';
  expect(await namesInCsv(csv)).toEqual({ names: ['Fjell, Spa & "Sauna"', 'Nordlys'], skipped: [] });
  expect((await namesInCsv('Name;Country\nNordlys;SE\nFjell;NO')).names).toEqual(['Nordlys', 'Fjell']);
  expect((await namesInCsv('Brand new\nNordlys')).names).toEqual(['Brand new', 'Nordlys']);
});

test('invalid names and names beyond the limit are skipped with the reason', async () => {
  const lines = [',NO', 'x'.repeat(121), ...Array.from({ length: 2_001 }, (_, index) => `Name ${index}`)];
  const { names, skipped } = await namesInCsv(lines.join('\n'));
  expect(names).toHaveLength(2_000);
  expect(skipped).toEqual([
    { line: 1, reason: 'must not be empty' },
    { line: 2, reason: 'must have at most 120 characters' },
    { line: 2_003, reason: 'comes after the first 2,000 names' },
  ]);
});

test('skipped lines have their line numbers in the file, counting empty lines and line breaks in cells', async () => {
  const csv = '\n"Name";"Notes\r\non two lines"\n\n\nNordlys;\n;NO\n';
  expect(await namesInCsv(csv)).toEqual({
    names: ['Nordlys'],
    skipped: [{ line: 7, reason: 'must not be empty' }],
  });
});

test('a file is decoded as UTF-8 or UTF-16, or as Windows-1252 if it is neither', () => {
  const decode = (...bytes: number[]) => decodeCsv(new Uint8Array(bytes).buffer);
  expect(decode(0xef, 0xbb, 0xbf, 0x42, 0x6c, 0xc3, 0xa5)).toBe('Blå');
  expect(decode(0x42, 0x6c, 0xe5)).toBe('Blå');
  expect(decode(0xff, 0xfe, 0x42, 0, 0x6c, 0, 0xe5, 0)).toBe('Blå');
  expect(decode()).toBe('');
});
