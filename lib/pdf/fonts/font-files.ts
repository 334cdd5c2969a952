import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { sansParts } from '@/lib/document/font-families';
import { fontLibrary } from '@/lib/document/font-library';
import { joinRanges, type Range } from './code-points';
import type { FontName } from './woff-to-ttf';

/**
 * A file of our font packages. `path` has no extension, because `.woff` and `.woff2` contain the same font. `ranges`
 * restricts a file to the characters that it is meant for, if it also has parts of other scripts, which it would draw
 * badly.
 */
export type FontFile = FontName & { path: string; ranges?: Range[] };

type Weight = FontName['weight'];
const both: Weight[] = [400, 700];
/** Packages with one file per script and weight that contains the whole script. */
const scripts = {
  'noto-sans-arabic': { subset: 'arabic', family: 'Noto Sans Arabic', weights: both },
  'noto-sans-hebrew': { subset: 'hebrew', family: 'Noto Sans Hebrew', weights: both },
  'noto-sans-devanagari': { subset: 'devanagari', family: 'Noto Sans Devanagari', weights: both },
  'noto-sans-thai': { subset: 'thai', family: 'Noto Sans Thai', weights: both },
  'noto-sans-sc': { subset: 'chinese-simplified', family: 'Noto Sans SC', weights: both },
  'noto-sans-jp': { subset: 'japanese', family: 'Noto Sans JP', weights: both },
  'noto-sans-kr': { subset: 'korean', family: 'Noto Sans KR', weights: both },
  'noto-sans-symbols': { subset: 'symbols', family: 'Noto Sans Symbols', weights: both },
  'noto-sans-math': { subset: 'latin', family: 'Noto Sans Math', weights: [400 as const] },
  'noto-color-emoji': { subset: 'emoji', family: 'Noto Color Emoji', weights: [400 as const] },
};
/**
 * Packages with numbered slices, which have rare characters that the whole file lacks. A web page loads only the slices
 * that it needs, whereas a whole file has several megabytes. The slices of the emoji package are blank in Chromium and
 * therefore unused.
 */
const sliced = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'] as const;

// Packages are resolved from the working directory, which is always the checkout.
const folderOf = (name: string) =>
  dirname(createRequire(join(process.cwd(), 'package.json')).resolve(`@fontsource/${name}/package.json`));

function fontFile(name: string, subset: string, font: FontName): FontFile {
  const style = font.italic ? 'italic' : 'normal';
  return { ...font, path: join(folderOf(name), 'files', `${name}-${subset}-${font.weight}-${style}`) };
}

/** Returns the names and versions of our font packages, for cache keys. */
export async function fontVersions(): Promise<string[]> {
  const names = ['noto-sans', ...Object.keys(scripts)];
  return Promise.all(
    names.map(async (name) => {
      const manifest = await readFile(join(folderOf(name), 'package.json'), 'utf8');
      return `${name}@${(JSON.parse(manifest) as { version: string }).version}`;
    }),
  );
}

/** Returns whether web pages load this family in slices. */
export const isSliced = (family: string) => sliced.some((name) => scripts[name].family === family);

/** Returns the characters that each subset of a package is meant for, as `unicode-range` writes them. */
async function rangesOf(name: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folderOf(name), 'unicode.json'), 'utf8'));
}

/** Returns the fonts of a document, each family in its available weights and styles. */
export async function mainFonts(): Promise<FontFile[]> {
  const listed = await rangesOf('noto-sans');
  const sans = Object.entries(sansParts).flatMap(([subset, family]) => {
    const ranges = readRanges(listed[subset] ?? '');
    return both.flatMap((weight) =>
      [false, true].map((italic) => ({
        ...fontFile('noto-sans', subset, { family, weight, italic }),
        ranges,
      })),
    );
  });
  const others = Object.entries(scripts).flatMap(([name, { subset, family, weights }]) =>
    weights.map((weight) => fontFile(name, subset, { family, weight, italic: false })),
  );
  return [...sans, ...others];
}

/**
 * Returns the slices that may have characters that the main fonts lack; most of their characters are also in the main
 * font of their family.
 */
export async function rareFonts(): Promise<FontFile[]> {
  const files = await Promise.all(
    sliced.map(async (name) => {
      const names = await readdir(join(folderOf(name), 'files'));
      const subsets = names.flatMap((file) => /-(\d+)-400-normal\.woff$/.exec(file)?.[1] ?? []);
      return subsets
        .toSorted((a, b) => Number(a) - Number(b))
        .map((subset) =>
          fontFile(name, subset, { family: `${scripts[name].family} ${subset}`, weight: 400, italic: false }),
        );
    }),
  );
  return files.flat();
}

/** Returns the slices of the families that web pages load in slices, each with the characters that it is meant for. */
export async function webSlices(): Promise<(FontFile & { ranges: Range[] })[]> {
  const families = await Promise.all(
    sliced.map(async (name) => {
      const { family, weights } = scripts[name];
      const listed = await rangesOf(name);
      return Object.entries(listed).flatMap(([key, ranges]) => {
        const subset = /^\[(\d+)\]$/.exec(key)?.[1];
        return (subset === undefined ? [] : weights).map((weight) => ({
          ...fontFile(name, subset ?? '', { family, weight, italic: false }),
          ranges: readRanges(ranges),
        }));
      });
    }),
  );
  return families.flat();
}

/**
 * Returns the fonts of the library, each with the characters that it is meant for. They are in the order of their
 * packages' own CSS, because browsers use the later of two files with the same character.
 */
export async function libraryFonts(): Promise<(FontFile & { ranges: Range[] })[]> {
  const families = await Promise.all(
    fontLibrary.map(async ({ name: family, package: name }) => {
      const [listed, files] = await Promise.all([rangesOf(name), readdir(join(folderOf(name), 'files'))]);
      return Object.entries(listed).flatMap(([subset, ranges]) =>
        both
          .flatMap((weight) => [false, true].map((italic) => ({ family, weight, italic })))
          .map((font) => ({ ...fontFile(name, subset, font), ranges: readRanges(ranges) }))
          .filter(({ path }) => files.includes(`${basename(path)}.woff2`)),
      );
    }),
  );
  return families.flat();
}

/** Parses ranges in the syntax of `unicode-range`. */
function readRanges(text: string): Range[] {
  return joinRanges(
    text.split(',').map((item) => {
      const [first = '', last = first] = item.replace(/^U\+/i, '').split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  );
}
