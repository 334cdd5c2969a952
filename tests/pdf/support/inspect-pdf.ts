import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { accessibilityProblems } from '@/tests/pdf/support/accessibility-problems';

type Entry = { kind: number; place: number; index: number };

/** Reads the cross-reference table of a PDF that stores the table in a single stream with four-byte offsets. */
function readTable(pdf: Buffer): Entry[] {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString('latin1', pdf.length - 40))?.[1]);
  const at = pdf.indexOf('stream\n', start, 'latin1') + 'stream\n'.length;
  const head = pdf.toString('latin1', start, at);
  const length = Number(/\/Length (\d+)/.exec(head)?.[1]);
  const bytes = inflateSync(pdf.subarray(at, at + length));
  return Array.from({ length: bytes.length / 7 }, (_, number) => ({
    kind: bytes[number * 7] ?? 0,
    place: bytes.readUInt32BE(number * 7 + 1),
    index: bytes.readUInt16BE(number * 7 + 5),
  }));
}

function wrongEntries(pdf: Buffer): string[] {
  const table = readTable(pdf);
  /** Maps the offset of each object stream to the numbers of the objects that the stream contains, in order. */
  const streams = new Map<number, string[]>();
  const numbersIn = (at: number): string[] => {
    const existing = streams.get(at);
    if (existing) return existing;
    const from = pdf.indexOf('stream\n', at, 'latin1') + 'stream\n'.length;
    const length = Number(/\/Length (\d+)/.exec(pdf.toString('latin1', at, from))?.[1]);
    const [head = ''] = inflateSync(pdf.subarray(from, from + length))
      .toString('latin1')
      .split('\n', 1);
    const numbers = head.split(' ').filter((_, index) => index % 2 === 0);
    streams.set(at, numbers);
    return numbers;
  };
  return table.flatMap(({ kind, place, index }, number) => {
    if (kind === 0) return [];
    const at = kind === 1 ? place : (table[place]?.place ?? 0);
    const head = `${kind === 1 ? number : place} 0 obj\n`;
    if (pdf.toString('latin1', at, at + head.length) !== head)
      return [`object ${number} is not at its place`];
    if (kind === 1) return [];
    return numbersIn(at)[index] === String(number) ? [] : [`object ${number} is not in its stream`];
  });
}

function refsOf(value: PDFObject): PDFRef[] {
  if (value instanceof PDFRef) return [value];
  if (value instanceof PDFStream) return refsOf(value.dict);
  if (value instanceof PDFDict) return value.values().flatMap(refsOf);
  if (value instanceof PDFArray) return value.asArray().flatMap(refsOf);
  return [];
}

async function askQpdf(pdf: Buffer): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  try {
    const path = join(folder, 'file.pdf');
    await writeFile(path, pdf);
    const { error, status, stdout, stderr } = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    return error || status === 0 ? [] : [`qpdf: ${stdout}${stderr}`];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the problems, fonts and image count of a PDF that the product made. Also runs qpdf if it is installed. */
export async function inspectPdf(pdf: Buffer) {
  const problems = wrongEntries(pdf);
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true, updateMetadata: false });
  const objects = document.context.enumerateIndirectObjects();
  const existing = new Set(objects.map(([ref]) => ref));
  for (const [ref, value] of objects) {
    if (refsOf(value).some((other) => !existing.has(other)))
      problems.push(`${ref} refers to what is not there`);
  }
  const dicts = objects.flatMap(([, value]) => {
    if (value instanceof PDFStream) return [value.dict];
    return value instanceof PDFDict ? [value] : [];
  });
  const ofType = (type: string) => dicts.filter((dict) => dict.get(PDFName.of('Type')) === PDFName.of(type));

  // Each tagged page, form and annotation must have its own key. The parent tree must have exactly one entry per key.
  const keys = dicts.flatMap((dict) =>
    ['StructParents', 'StructParent'].flatMap((name) => dict.get(PDFName.of(name))?.toString() ?? []),
  );
  const tags = document.catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const tree = tags.lookup(PDFName.of('ParentTree'), PDFDict).lookup(PDFName.of('Nums'), PDFArray);
  const inTree = tree.asArray().filter((_, at) => at % 2 === 0);
  if (new Set(keys).size !== keys.length) problems.push('two have the same key of tags');
  if (inTree.map(String).sort().join() !== keys.sort().join()) problems.push('tags and pages do not agree');

  // Type 3 fonts define their glyphs as PDF content streams, so they have no font file.
  const drawn = new Set(
    ofType('Font')
      .filter((dict) => dict.has(PDFName.of('CharProcs')))
      .map((dict) => dict.lookup(PDFName.of('FontDescriptor'))),
  );
  const fonts = ofType('FontDescriptor').map((dict) => ({
    name: String(dict.get(PDFName.of('FontName'))),
    embedded:
      drawn.has(dict) || ['FontFile', 'FontFile2', 'FontFile3'].some((file) => dict.has(PDFName.of(file))),
  }));
  if (new Set(fonts.map(({ name }) => name)).size !== fonts.length) problems.push('two fonts have one name');
  const images = objects.filter(
    ([, value]) =>
      value instanceof PDFRawStream && value.dict.get(PDFName.of('Filter')) === PDFName.of('DCTDecode'),
  ).length;

  problems.push(...accessibilityProblems(document), ...(await askQpdf(pdf)));
  return { problems, fonts, images };
}
