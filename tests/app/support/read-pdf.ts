import type { PDFPageProxy } from 'pdfjs-dist';
import { openBytes } from '@/lib/specs/pdf/open-pdf';

export type ReadPage = {
  /** Width of the page in points. */
  width: number;
  /** Height of the page in points. */
  height: number;
  text: string;
  /** The pieces of text, each with its left edge `x` and its text size, in points. */
  pieces: { text: string; x: number; size: number }[];
  /** The text in the order of the tags, which is the order in which screen readers read it. */
  taggedText: string[];
  /** URLs of links that lead out of the document. */
  urls: string[];
  /** Page numbers that internal links lead to, from 1. */
  targets: number[];
  images: number;
};
type TagNode = { children?: TagNode[]; type?: string; id?: string };
type OutlineNode = { title: string; dest: string | unknown[] | null; items: OutlineNode[] };

/** Returns the ids of the marked content below a tag, in order. */
const contentOf = (node: TagNode | null): string[] =>
  node?.type === 'content' && node.id ? [node.id] : (node?.children ?? []).flatMap(contentOf);

/** Returns the text of a page in the order of its tags, one string per marked-content sequence. */
async function readTaggedText(page: PDFPageProxy): Promise<string[]> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const texts = new Map<string, string>();
  const open: (string | undefined)[] = [];
  for (const item of items) {
    if ('str' in item) {
      const id = open.findLast((one) => one !== undefined);
      if (id !== undefined) texts.set(id, (texts.get(id) ?? '') + item.str);
    } else if (item.type === 'endMarkedContent') open.pop();
    else open.push(item.id ?? undefined);
  }
  return contentOf(await page.getStructTree()).flatMap((id) => texts.get(id) ?? []);
}

/** Reads the pages, outline and metadata of a PDF. The bytes are transferred and cannot be used afterward. */
export async function readPdf(pdf: Uint8Array) {
  const document = await openBytes(pdf);
  const pageOf = async (dest: string | unknown[] | null): Promise<number> => {
    const found = typeof dest === 'string' ? await document.getDestination(dest) : dest;
    return (await document.getPageIndex(found?.[0] as { num: number; gen: number })) + 1;
  };
  try {
    const pages: ReadPage[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const [, , width = 0, height = 0] = page.view;
      const { items } = await page.getTextContent();
      const pieces = items.flatMap((item) =>
        'str' in item && item.str !== ''
          ? [{ text: item.str, x: item.transform[4] as number, size: item.height }]
          : [],
      );
      const links: { url?: string; dest?: string | unknown[] }[] = await page.getAnnotations();
      const operators = await page.getOperatorList();
      pages.push({
        width,
        height,
        text: pieces.map(({ text }) => text).join(''),
        pieces,
        taggedText: await readTaggedText(page),
        urls: links.flatMap(({ url }) => (url ? [url] : [])),
        targets: await Promise.all(links.filter(({ dest }) => dest).map(({ dest }) => pageOf(dest ?? null))),
        // In pdf.js, operator 85 paints an image, and operator 88 paints a repeated image.
        images: operators.fnArray.filter((operator: number) => operator === 85 || operator === 88).length,
      });
    }
    const nodes = ((await document.getOutline()) ?? []) as OutlineNode[];
    const outline = await Promise.all(
      nodes.map(async ({ title, dest, items }) => ({
        title,
        page: await pageOf(dest),
        /** Position that the outline entry leads to, in points above the lower edge of the page. */
        top: Number(Array.isArray(dest) ? dest[3] : Number.NaN),
        inner: items.map((item) => item.title),
      })),
    );
    const info: { Title?: string; Language?: string } = (await document.getMetadata()).info;
    // The type says that this is an object, but it is a map.
    const markInfo: unknown = await document.getMarkInfo();
    const isTagged = markInfo instanceof Map && markInfo.get('Marked') === true;
    return { pages, outline, title: info.Title, language: info.Language, isTagged };
  } finally {
    await document.loadingTask.destroy();
  }
}

/**
 * Returns the glyphs that a PDF shows. All of its fonts must be embedded TrueType fonts, in which glyph 0 is the box
 * for a character that the font lacks.
 */
export async function glyphsOf(pdf: Uint8Array): Promise<{ text: string; isEmptyBox: boolean }[]> {
  const document = await openBytes(pdf, { fontExtraProperties: true });
  try {
    const found: { text: string; isEmptyBox: boolean }[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const { fnArray, argsArray } = await (await document.getPage(number)).getOperatorList();
      for (const [index, operator] of fnArray.entries()) {
        // In pdf.js, operator 44 shows text. Among its glyphs, a number stands for a gap.
        if (operator !== 44) continue;
        const glyphs: ({ unicode: string; originalCharCode: number } | number)[] = argsArray[index][0];
        for (const glyph of glyphs) {
          if (typeof glyph === 'number') continue;
          found.push({ text: glyph.unicode, isEmptyBox: glyph.originalCharCode === 0 });
        }
      }
    }
    return found;
  } finally {
    await document.loadingTask.destroy();
  }
}
