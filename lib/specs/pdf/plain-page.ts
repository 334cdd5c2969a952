import type { FileHandle } from 'node:fs/promises';
import {
  integerOf,
  type ObjectPosition,
  readFileText,
  readObjectAt,
  readStream,
  readXrefSection,
  referenceOf,
  type XrefSection,
} from './xref-section';

const TAIL_BYTES = 2048;
const OBJECT_CHARS = 16 * 1024;
const MAX_SECTIONS = 50;
const MAX_HELD_BYTES = 8 * 1024 * 1024;
const MAX_STREAM_HEADER = 64 * 1024;
const MAX_TREE_DEPTH = 20;

/**
 * Returns a file's cross-reference sections, newest first. Returns null if the file is encrypted, or if the sections
 * have an unsupported form or exceed a limit.
 */
async function readSections(file: FileHandle, position: number): Promise<XrefSection[] | null> {
  const sections: XrefSection[] = [];
  let next: number | null = position;
  let heldBytes = 0;
  while (next !== null) {
    const section = sections.length < MAX_SECTIONS ? await readXrefSection(file, next) : null;
    if (!section || /\/Encrypt\b|\/XRefStm\b/.test(section.trailer)) return null;
    heldBytes += section.heldBytes;
    if (heldBytes > MAX_HELD_BYTES) return null;
    sections.push(section);
    next = integerOf(section.trailer, 'Prev');
  }
  return sections;
}

async function findPosition(sections: XrefSection[], number: number): Promise<ObjectPosition | null> {
  for (const section of sections) {
    const position = await section.find(number);
    if (position) return position;
  }
  return null;
}

/** Returns the text of an object, or null if the cross-references do not lead to it or its form is unsupported. */
async function readObject(file: FileHandle, sections: XrefSection[], number: number): Promise<string | null> {
  const position = await findPosition(sections, number);
  if (!position) return null;
  if ('at' in position) return (await readObjectAt(file, position.at, number))?.dictionary ?? null;
  const streamPosition = await findPosition(sections, position.inStream);
  if (!streamPosition || !('at' in streamPosition)) return null;
  const stream = await readObjectAt(file, streamPosition.at, position.inStream);
  const first = stream && integerOf(stream.dictionary, 'First');
  const bytes = stream && (await readStream(file, stream));
  if (!bytes || first === null || first > MAX_STREAM_HEADER) return null;
  const pairs = bytes.toString('latin1', 0, first).trim().split(/\s+/).map(Number);
  const at = pairs.findIndex((value, i) => i % 2 === 0 && value === number);
  if (at < 0) return null;
  const start = first + (pairs[at + 1] ?? 0);
  const end = first + (pairs[at + 3] ?? bytes.length);
  return bytes.toString('latin1', start, Math.min(end, start + OBJECT_CHARS));
}

async function followToPage(file: FileHandle, size: number): Promise<boolean> {
  const tailAt = Math.max(0, size - TAIL_BYTES);
  const tail = await readFileText(file, tailAt, TAIL_BYTES);
  const pointer = /startxref\s+(\d{1,12})\s+%%EOF\s*$/.exec(tail)?.[1];
  if (pointer === undefined || (await readFileText(file, 0, 5)) !== '%PDF-') return false;
  const sections = await readSections(file, Number(pointer));
  const root = referenceOf(sections?.[0]?.trailer ?? '', 'Root');
  if (!sections || root === null) return false;
  const catalog = await readObject(file, sections, root);
  let next = catalog && referenceOf(catalog, 'Pages');
  for (let depth = 0; next && depth < MAX_TREE_DEPTH; depth += 1) {
    const node: string | null = await readObject(file, sections, next);
    if (!node) return false;
    if (/\/Type\s*\/Page\b/.test(node)) return true;
    const firstKid = /\/Kids\s*\[\s*(\d{1,10})\s+\d{1,5}\s+R\b/.exec(node)?.[1];
    next = firstKid === undefined ? null : Number(firstKid);
  }
  return false;
}

/**
 * Returns whether a file is an intact, unencrypted PDF whose own cross-references lead to a page. This is true of
 * nearly all files. Reads only parts of the file, and holds at most about 20 MB in memory. If the result is false,
 * PDF.js may still be able to open the file.
 */
export async function hasPlainPage(file: FileHandle, size: number): Promise<boolean> {
  try {
    return await followToPage(file, size);
  } catch {
    return false;
  }
}
