import { readFile } from 'node:fs/promises';
import { cjkLanguage, fontFamilies } from '@/lib/document/font-families';
import { cssFontName } from '@/lib/document/font-library';
import { isIn, type Range } from '@/lib/document/printed-characters';
import type { ProjectFontFile } from '@/lib/document/project-fonts';
import { type SheetText, sheetTexts } from '@/lib/document/sheet-texts';
import type { Sheet } from '@/lib/document/sheets';
import { codePoints } from './code-points';
import { type FontFile, isSliced, libraryFonts, mainFonts, webSlices } from './font-files';
import { readWoff, writeTtf } from './woff-to-ttf';

type Face = FontFile & { ranges: Range[] };

async function readFaces(): Promise<Map<string, Face[]>> {
  const whole = (await mainFonts()).filter(({ family }) => !isSliced(family));
  const read = async (font: FontFile): Promise<Face> => {
    const { tables } = readWoff(await readFile(`${font.path}.woff`));
    return { ...font, ranges: font.ranges ?? codePoints(tables.get('cmap') ?? Buffer.alloc(4)) };
  };
  const faces = [...(await Promise.all(whole.map(read))), ...(await webSlices())];
  return Map.groupBy(faces, ({ family }) => family);
}
let known: ReturnType<typeof readFaces> | undefined;
function allFaces(): ReturnType<typeof readFaces> {
  known ??= readFaces().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

let library: ReturnType<typeof libraryFonts> | undefined;
async function libraryFaces(): Promise<Map<string, Face[]>> {
  library ??= libraryFonts().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return Map.groupBy(await library, ({ family }) => family);
}

/** Returns the faces of a family in a style, or in the closest style that it has. */
function inStyle(faces: Face[], { bold, italic }: Pick<SheetText, 'bold' | 'italic'>): Face[] {
  const upright = faces.filter((face) => !face.italic);
  const sloped = faces.filter((face) => face.italic);
  const slope = italic && sloped.length > 0 ? sloped : upright;
  const heavy = slope.filter(({ weight }) => weight === 700);
  return bold && heavy.length > 0 ? heavy : slope.filter(({ weight }) => weight === 400);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
// Characters that join or vary adjacent characters. A font does not need glyphs for them.
const joiner = /^[\p{Join_Control}\p{Variation_Selector}]$/u;
// A grapheme with one of these characters is drawn in color, even if an earlier font in the stack has a black glyph.
const emoji = /\p{Emoji_Presentation}|\ufe0f/u;
const EMOJI = 'Noto Color Emoji';

/**
 * Returns the faces that a browser would use for `text`. A grapheme gets the faces of the first family that has all of
 * its characters. If no family has them all, each character gets the faces of the first family that has it. Emoji
 * always get the color font.
 */
function facesFor(text: SheetText, faces: Map<string, Face[]>): Face[] {
  const inOrder = fontFamilies(cjkLanguage(text.text)).map((family) =>
    inStyle(faces.get(family) ?? [], text),
  );
  const having = (points: number[]) => {
    for (const family of inOrder) {
      const found = family.filter(({ ranges }) => points.every((point) => isIn(ranges, point)));
      if (found.length > 0) return found;
    }
    return [];
  };
  const clusters = new Set([...graphemes.segment(text.text)].map(({ segment }) => segment));
  return [...clusters].flatMap((cluster) => {
    if (emoji.test(cluster)) return faces.get(EMOJI) ?? [];
    const points = [...cluster].filter((one) => !joiner.test(one)).map((one) => one.codePointAt(0) ?? 0);
    const found = having(points);
    return found.length > 0 ? found : points.flatMap((point) => having([point]));
  });
}

const hex = (point: number) => point.toString(16);
async function dataOf(face: Face): Promise<string> {
  if (face.family !== EMOJI) {
    return `font/woff2;base64,${(await readFile(`${face.path}.woff2`)).toString('base64')}`;
  }
  // Embed the same converted emoji font as in print. The converted font is smaller than the compressed file, because it
  // has no SVG glyphs.
  return `font/ttf;base64,${writeTtf(readWoff(await readFile(`${face.path}.woff`)), face).toString('base64')}`;
}

async function faceRule(face: Face): Promise<string> {
  const { family, weight, italic, ranges } = face;
  const only = ranges.map(([first, last]) => `U+${hex(first)}-${hex(last)}`).join(', ');
  return `@font-face { font-family: ${family}; font-weight: ${weight}; font-style: ${italic ? 'italic' : 'normal'};
  unicode-range: ${only}; src: url(data:${await dataOf(face)}); }`;
}

/** Hyphens that browsers may draw for a soft hyphen at the end of a line. */
const HYPHENS = '\u2010-';
/**
 * The characters of page numbers, list numbers, bullets and hyphens, which a document may print in addition to the
 * characters in its texts.
 */
const always: SheetText = {
  pageId: null,
  elementId: null,
  text: `0123456789.•${HYPHENS}`,
  bold: false,
  italic: false,
  font: null,
};
const heading: SheetText = { ...always, text: 'Contents', bold: true };

/** Returns the texts without duplicates, so that each is examined only once. */
function distinct(texts: SheetText[]): SheetText[] {
  const keyOf = ({ font, bold, italic, text }: SheetText) => `${font} ${bold} ${italic} ${text}`;
  return [...new Map(texts.map((text) => [keyOf(text), text])).values()];
}

async function rulesFor(faces: Map<string, Face[]>, needed: ReadonlySet<Face>): Promise<string> {
  // Keep the packages' order. It matters when several slices contain a character, because browsers then use the last
  // of these slices.
  const ordered = [...faces.values()].flat().filter((face) => needed.has(face));
  return (await Promise.all(ordered.map(faceRule))).join('\n');
}

/**
 * Returns `@font-face` rules that embed the library fonts that these sheets use. The printing browser has the standard
 * fonts as files. Library fonts cannot be files, because their faces are limited to character ranges, as in the editor,
 * and fontconfig does not support such limits.
 */
export async function libraryFontFaces(sheets: Sheet[]): Promise<string> {
  const texts = distinct(sheets.flatMap(sheetTexts)).filter(({ font }) => font !== null);
  if (texts.length === 0) return '';
  const faces = await libraryFaces();
  const needed = texts.flatMap((text) => {
    const points = [...new Set(HYPHENS + text.text)].map((character) => character.codePointAt(0) ?? 0);
    const inFamily = inStyle(faces.get(text.font ?? '') ?? [], text);
    return inFamily.filter(({ ranges }) => points.some((point) => isIn(ranges, point)));
  });
  return rulesFor(faces, new Set(needed));
}

/** Returns `@font-face` rules that embed a project's fonts. */
export function projectFontFaces(fonts: ProjectFontFile[]): string {
  return fonts
    .map(
      ({ name, bold, italic, base64 }) =>
        `@font-face { font-family: ${cssFontName(name)}; font-weight: ${bold ? 700 : 400};
  font-style: ${italic ? 'italic' : 'normal'}; src: url(data:font/sfnt;base64,${base64}); }`,
    )
    .join('\n');
}

/**
 * Returns `@font-face` rules that embed the standard and library fonts for these sheets, so that a page looks the same
 * wherever it is opened or saved. Latin text takes about 50 kB. Chinese text adds slices of up to 60 kB each. Together,
 * the slices take about 0.5 MB for common simplified characters, and more for traditional or rare ones. A single emoji
 * adds the emoji font, which takes 6.6 MB.
 */
export async function webFontFaces(sheets: Sheet[]): Promise<string> {
  const faces = await allFaces();
  const texts = distinct([always, heading, ...sheets.flatMap(sheetTexts)]);
  const needed = new Set(texts.flatMap((text) => facesFor(text, faces)));
  return [await rulesFor(faces, needed), await libraryFontFaces(sheets)].join('\n');
}
