import { type Attachment, writeAttachment } from './attachment';
import { pdfText } from './pdf-values';
import type { PdfWriter } from './pdf-writer';
import { type OutlineEntry, writeOutline } from './write-outline';
import { xmpMetadata } from './xmp-metadata';

/** What the parts contribute to the joined file. All object numbers and references are those of the joined file. */
export type JoinedParts = {
  // Object numbers of the page tree, the structure root and its document element.
  pageTree: number;
  structure: number;
  document: number;
  pages: number[];
  /** References to the parts' page trees. */
  trees: string[];
  /** References to the children of the parts' `/Document` elements. */
  kids: string[];
  /** Entries of the parent tree, each a key and a reference. */
  parents: string[];
  /** Entries of the ID tree, each a name and a reference, sorted by name. */
  ids: string[];
  /** The number of keys in use in the parent tree. */
  keys: number;
};
type About = {
  title: string;
  language: string;
  outline: OutlineEntry[];
  anchor: (page: number) => string;
  pageNumber: (page: number) => number;
  attachment: Attachment | null;
  /** The sRGB profile if the file follows PDF/A-2a, otherwise null. */
  archiveProfile: Uint8Array | null;
};

/**
 * Returns the catalog entry with the page labels (ISO 32000-1, 12.4.2), or '' if the pages are numbered from 1 without
 * gaps.
 */
function pageLabels(numbers: number[]): string {
  if (numbers.every((number, index) => number === index + 1)) return '';
  const spans = numbers.flatMap((number, index) =>
    index > 0 && number === (numbers[index - 1] ?? 0) + 1 ? [] : [`${index} <</S /D /St ${number}>>`],
  );
  return `/PageLabels <</Nums [${spans.join(' ')}]>> `;
}

/**
 * Writes the color profile for a file's output intent (ISO 32000-1, 14.11.5). Returns the catalog entry with the output
 * intent.
 */
async function* writeOutputIntent(
  writer: PdfWriter,
  profile: Uint8Array,
): AsyncGenerator<Uint8Array, string> {
  const number = writer.reserve();
  const head = `<</N 3 /Alternate /DeviceRGB /Length ${profile.length}>>`;
  yield* writer.stream(number, head, { length: profile.length, pieces: [profile] });
  const name = 'sRGB IEC61966-2.1';
  return (
    `/OutputIntents [<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier ${pdfText(name)} ` +
    `/Info ${pdfText(name)} /DestOutputProfile ${number} 0 R>>] `
  );
}

/** Maps the element types that Chromium writes, but that PDF 1.7 does not define, to standard types. */
const ROLES = '/RoleMap <</Strong /Span /Em /Span>>';

/**
 * Writes the objects that occur only once in a file. These are the root of the page tree, the root of the tags, the
 * destinations, the outline, the metadata, the attachment, the output intent, the catalog and the information
 * dictionary. Returns the object numbers of the catalog (`root`) and of the information dictionary (`info`).
 */
export async function* writeSharedObjects(
  writer: PdfWriter,
  { pageTree, structure, document, pages, trees, kids, parents, ids, keys }: JoinedParts,
  { title, language, outline, anchor, pageNumber, attachment, archiveProfile }: About,
): AsyncGenerator<Uint8Array, { root: number; info: number }> {
  const write = (value: string) => {
    const number = writer.reserve();
    writer.value(number, value);
    return number;
  };
  writer.value(pageTree, `<</Type /Pages /Count ${pages.length} /Kids [${trees.join(' ')}]>>`);
  const lang = `/Lang ${pdfText(language)}`;
  writer.value(
    document,
    `<</Type /StructElem /S /Document ${lang} /P ${structure} 0 R /K [${kids.join(' ')}]>>`,
  );
  const parentTree = write(`<</Nums [${parents.join(' ')}]>>`);
  const idTree = ids.length > 0 ? `/IDTree ${write(`<</Names [${ids.join(' ')}]>>`)} 0 R` : '';
  writer.value(
    structure,
    `<</Type /StructTreeRoot /K ${document} 0 R /ParentTree ${parentTree} 0 R /ParentTreeNextKey ${keys} ${ROLES} ${idTree}>>`,
  );
  const destinations = pages.map((page, index) => `/${anchor(index)} [${page} 0 R /XYZ null null null]`);
  const dests = write(`<<${destinations.join(' ')}>>`);
  const outlines = writeOutline(writer, outline, pages);
  // The metadata is not compressed, so that programs that do not parse PDFs can find it.
  const xmp = xmpMetadata({ title, language, isPdfA: archiveProfile !== null });
  const metadata = writer.reserve();
  yield* writer.stream(metadata, `<</Type /Metadata /Subtype /XML /Length ${xmp.length}>>`, {
    length: xmp.length,
    pieces: [xmp],
  });
  const files = attachment ? yield* writeAttachment(writer, attachment) : '';
  const colors = archiveProfile ? yield* writeOutputIntent(writer, archiveProfile) : '';
  const root = write(
    `<</Type /Catalog /Pages ${pageTree} 0 R /Dests ${dests} 0 R /Outlines ${outlines} 0 R ` +
      `/MarkInfo <</Type /MarkInfo /Marked true>> /StructTreeRoot ${structure} 0 R ` +
      `${files}${colors}${pageLabels(pages.map((_, index) => pageNumber(index)))}/ViewerPreferences <</DisplayDocTitle true>> /Metadata ${metadata} 0 R ${lang}>>`,
  );
  // Write no dates, so that the same document always produces the same file.
  const info = write(`<</Title ${pdfText(title)} /Creator (Atelier) /Producer (Skia/PDF)>>`);
  return { root, info };
}
