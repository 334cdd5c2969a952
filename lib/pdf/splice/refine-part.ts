import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { type ChunkObject, type ChunkPdf, objectText, refOf, refsIn, SpliceRefusal } from './chunk-pdf';
import { cropMarks } from './crop-marks';
import { markArtifacts } from './mark-artifacts';
import { boxEntries, type PageBoxes } from './page-boxes';
import { pdfNumber } from './pdf-values';

const inflated = promisify(inflate);
const deflated = promisify(deflate);

/** How a part's pages must look: their boxes, and whether black prints with black ink alone. */
export type PageLook = { boxes: PageBoxes; isPureBlack: boolean };
type Objects = Map<number, ChunkObject>;

// Matches the kids of a structure element, which are references, marked-content ids, and dictionaries that refer to
// annotations or to marked content of form XObjects. `/K` must start a line, so that a `/K` inside a string does not
// match.
const KIDS = /(?<=\n)\/K (?:\[([^\]]*)\]|(<<[^>]*>>|\d+ 0 R|\d+))/;
const KID = /<<[^>]*>>|\d+ 0 R|\d+/g;

function kidsOf(text: string): string[] {
  const [, list, single] = KIDS.exec(text) ?? [];
  return (list ?? single ?? '').match(KID) ?? [];
}

function withKids(text: string, kids: string[]): string {
  return text.replace(KIDS, kids.length > 0 ? `/K [${kids.join(' ')}]` : '');
}

function change(objects: Objects, number: number, changed: (text: string) => string): void {
  const stream = objects.get(number)?.stream ?? null;
  objects.set(number, { text: changed(objectText(objects, number)), stream });
}

/** Returns the content of a stream, inflated if needed. Chromium compresses a stream only if that makes it smaller. */
async function readContent({ text, stream }: ChunkObject): Promise<string> {
  if (!stream) throw new SpliceRefusal('A page has no content.');
  if (!text.includes('/Filter')) return Buffer.from(stream).toString('latin1');
  if (!/\/Filter \/FlateDecode\b/.test(text)) throw new SpliceRefusal('Content has an unknown filter.');
  return (await inflated(stream)).toString('latin1');
}

async function withContent({ text }: ChunkObject, content: string): Promise<ChunkObject> {
  const bytes = Buffer.from(content, 'latin1');
  const stream = text.includes('/Filter') ? await deflated(bytes) : bytes;
  return { text: text.replace(/\/Length \d+/, `/Length ${stream.length}`), stream };
}

/**
 * Crops a page to the paper size in `boxes`, keeping the upper left corner, and moves its links accordingly. Returns
 * the content for the new size.
 */
function cut(objects: Objects, page: number, content: string, boxes: PageBoxes): string {
  const { height } = boxes;
  const box = /\/MediaBox \[0 0 [\d.]+ ([\d.]+)\]/.exec(objectText(objects, page));
  const origin = /^(?:\/Artifact BMC\n)?[\d.]+ 0 0 -[\d.]+ 0 ([\d.]+) cm\n/.exec(content);
  if (!box || !origin?.[1] || box[1] !== origin[1]) throw new SpliceRefusal('A page has an unknown form.');
  const lower = Number(box[1]) - height;
  const annotations = /\/Annots \[([^\]]*)\]/.exec(objectText(objects, page))?.[1] ?? '';
  change(objects, page, (text) => text.replace(box[0], boxEntries(boxes)));
  for (const link of refsIn(annotations)) {
    change(objects, link, (text) =>
      text.replace(/\/Rect \[([^\]]*)\]/, (_, corners: string) => {
        const moved = corners.split(' ').map((at, axis) => pdfNumber(Number(at) - (axis % 2) * lower));
        return `/Rect [${moved.join(' ')}]`;
      }),
    );
  }
  return content.replace(` 0 ${origin[1]} cm`, ` 0 ${pdfNumber(height)} cm`);
}

/** Returns the content with black converted to grayscale, so that it prints with black ink alone. */
function inGray(content: string): string {
  return content.replace(/^0 0 0 RG 0 0 0 rg$/gm, '0 G 0 g');
}

/**
 * Removes artifacts from the structure elements that reference them. `form` is the object number of the form XObject
 * that contains the artifacts, or 0 for a page.
 */
function detach(objects: Objects, parents: number, artifacts: ReadonlySet<number>, form: number): void {
  if (artifacts.size === 0) return;
  const owners = objectText(objects, parents).match(/null|\d+ 0 R/g) ?? [];
  for (const id of artifacts) {
    const isIt = (kid: string) =>
      form === 0 ? kid === String(id) : kid.includes(`/Stm ${form} 0 R`) && kid.endsWith(`/MCID ${id}>>`);
    const owner = Number.parseInt(owners[id] ?? '', 10);
    const kids = objects.has(owner) ? kidsOf(objectText(objects, owner)) : [];
    const others = kids.filter((kid) => !isIt(kid));
    if (others.length === kids.length) throw new SpliceRefusal('Marked content has an unknown form.');
    change(objects, owner, (text) => withKids(text, others));
    owners[id] = 'null';
  }
  change(objects, parents, () => `${parents} 0 obj\n[${owners.join(' ')}]\nendobj\n`);
}

/** Puts some kids of `parent` into a new element. The caller must replace them in `parent` with the element. */
function wrap(objects: Objects, number: number, parent: number, kids: string[], type: string): void {
  const text = `${number} 0 obj\n<</Type /StructElem\n/S /${type}\n/P ${parent} 0 R\n/K [${kids.join(' ')}]>>\nendobj\n`;
  objects.set(number, { text, stream: null });
  for (const kid of kids) {
    change(objects, Number.parseInt(kid, 10), (inner) =>
      inner.replace(/(?<=\n)\/P \d+ 0 R/, `/P ${number} 0 R`),
    );
  }
}

/**
 * Gives lists the structure that screen readers expect (ISO 32000-1, 14.8.4.3.3), in which the content of an item is in
 * a body next to the item's label. Treats a list without labels as the table of contents. Returns one more than the
 * highest object number.
 */
function refineLists(objects: Objects, size: number): number {
  let next = size;
  for (const [item, { text }] of [...objects]) {
    if (!text.includes('/S /LI\n')) continue;
    const kids = kidsOf(text).filter((kid) => kid.endsWith(' R'));
    const labels = kids.filter((kid) => /\/S \/Lbl\n/.test(objectText(objects, Number.parseInt(kid, 10))));
    const content = kids.filter((kid) => !labels.includes(kid));
    const isContents = labels.length === 0;
    if (isContents) {
      change(objects, item, (own) => own.replace('/S /LI\n', '/S /TOCI\n'));
      change(objects, refOf(text, 'P'), (list) => list.replace('/S /L\n', '/S /TOC\n'));
    }
    if (content.length === 0) continue;
    wrap(objects, next, item, content, isContents ? 'Reference' : 'LBody');
    change(objects, item, (own) => withKids(own, [...labels, `${next} 0 R`]));
    next += 1;
  }
  return next;
}

/**
 * Returns a copy of a part with the tags that PDF/UA requires and Chromium does not write. Applies `look`, if given, to
 * the pages. `parents` contains the entries of the part's parent tree. Throws `SpliceRefusal` for content or tags of an
 * unknown form.
 */
export async function refinePart(
  chunk: ChunkPdf,
  parents: readonly { key: number; object: number }[],
  look?: PageLook,
): Promise<ChunkPdf> {
  const objects = new Map(chunk.objects);
  const parentsOf = new Map(parents.map(({ key, object }) => [key, object]));
  const keyOf = (text: string) => Number(/\/StructParents (\d+)/.exec(text)?.[1] ?? -1);
  const forms = [...objects].flatMap(([number, { text, stream }]) =>
    stream && text.includes('/Subtype /Form\n') && keyOf(text) >= 0 ? [number] : [],
  );
  /** Returns the names of the tagged forms in the resources of a page or form. */
  const formsIn = (text: string) => {
    const named = /\/XObject <<([^>]*)>>/.exec(text)?.[1] ?? '';
    const all = [...named.matchAll(/\/(\w+) (\d+) 0 R/g)];
    return new Set(all.flatMap(([, name = '', number]) => (forms.includes(Number(number)) ? [name] : [])));
  };
  const marks = look && look.boxes.markDistance > 0 ? cropMarks(look.boxes, chunk.size) : null;
  if (marks) objects.set(...marks.color);
  const refine = async (at: number, page: number) => {
    const contents = objects.get(at);
    if (!contents) throw new SpliceRefusal('A page has no content.');
    const text = page > 0 ? objectText(objects, page) : contents.text;
    const { content, artifacts } = markArtifacts(await readContent(contents), formsIn(text));
    const inked = look?.isPureBlack ? inGray(content) : content;
    const moved = page > 0 && look ? cut(objects, page, inked, look.boxes) : inked;
    objects.set(at, await withContent(contents, page > 0 && marks ? marks.content + moved : moved));
    if (page > 0 && marks) change(objects, page, marks.addColor);
    detach(objects, parentsOf.get(keyOf(text)) ?? 0, artifacts, page > 0 ? 0 : at);
  };
  await Promise.all([
    ...chunk.pages.map((page) => refine(refOf(objectText(objects, page), 'Contents'), page)),
    ...forms.map((form) => refine(form, 0)),
  ]);
  return { ...chunk, size: refineLists(objects, marks ? chunk.size + 1 : chunk.size), objects };
}
