import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { sansParts } from '@/lib/document/font-families';
import { fontLibrary } from '@/lib/document/font-library';
import type { Range } from '@/lib/document/printed-characters';
import { joinRanges } from './code-points';
import type { FontName } from './woff-to-ttf';

/**
 * A font file of an installed package. `path` omits the extension, because `.woff` and `.woff2` contain the same font.
 * `ranges` limits the file to the characters that it is meant for, because some files also contain parts of other
 * scripts, which they draw badly.
 */
export type FontFile = FontName & { path: string; ranges?: Range[] };

/**
 * The characters that documents take from DejaVu Sans. They are symbols, such as subscripts, fractions and check marks,
 * that are missing from all other standard fonts, except perhaps Noto Color Emoji. `document-fonts.css` lists the same
 * ranges.
 */
const signRanges = readRanges(
  [
    'U+201B,U+201F,U+2023,U+2031,U+203D-203F,U+2041,U+2045-2046,U+2049-204E,U+2052-2056,U+2058-205E',
    'U+2070-2071,U+2074-208E,U+2090-209C,U+2101,U+2104,U+2106,U+2108,U+2114,U+2117,U+211E-2120,U+2123',
    'U+2125,U+212A,U+2139-213A,U+214E,U+2150-215F,U+2184,U+2189,U+2324-2328,U+232B,U+237D,U+23CF',
    'U+2600-2604,U+2607-2608,U+260E,U+2610-2612,U+2618-261B,U+261D,U+2620,U+2622-2623,U+2630-2637',
    'U+2654-265F,U+2668,U+268A-268F,U+269E-26A0,U+26C0-26C3,U+2701-2704,U+2706-2709,U+270C-2712',
    'U+2714-2719,U+271B-271C,U+2722-2727,U+2729,U+272B-2735,U+2737-2738,U+273A-273C,U+273E',
    'U+2741-274B,U+274D,U+274F-2752,U+2758-275E,U+2761-2771,U+2774-2775,U+2794,U+2798-279A',
    'U+279C-27AF,U+27B1-27BE,U+2800-28FF,U+2B05-2B0D',
  ].join(','),
);

type Weight = FontName['weight'];
const both: Weight[] = [400, 700];
/** The packages that contribute one file per weight to the main fonts. */
const scripts = {
  'noto-sans-arabic': { subset: 'arabic', family: 'Noto Sans Arabic', weights: both },
  'noto-sans-hebrew': { subset: 'hebrew', family: 'Noto Sans Hebrew', weights: both },
  'noto-sans-devanagari': { subset: 'devanagari', family: 'Noto Sans Devanagari', weights: both },
  'noto-sans-thai': { subset: 'thai', family: 'Noto Sans Thai', weights: both },
  'noto-sans-georgian': { subset: 'georgian', family: 'Noto Sans Georgian', weights: both },
  'noto-sans-armenian': { subset: 'armenian', family: 'Noto Sans Armenian', weights: both },
  'noto-sans-bengali': { subset: 'bengali', family: 'Noto Sans Bengali', weights: both },
  'noto-sans-tamil': { subset: 'tamil', family: 'Noto Sans Tamil', weights: both },
  'noto-sans-khmer': { subset: 'khmer', family: 'Noto Sans Khmer', weights: both },
  'noto-sans-ethiopic': { subset: 'ethiopic', family: 'Noto Sans Ethiopic', weights: both },
  'noto-sans-sc': { subset: 'chinese-simplified', family: 'Noto Sans SC', weights: both },
  'noto-sans-jp': { subset: 'japanese', family: 'Noto Sans JP', weights: both },
  'noto-sans-kr': { subset: 'korean', family: 'Noto Sans KR', weights: both },
  'noto-sans-symbols': { subset: 'symbols', family: 'Noto Sans Symbols', weights: both },
  // Use this font only for `signRanges`, because its Latin letters and arrows do not match those of the other fonts.
  'dejavu-sans': { subset: 'latin', family: 'DejaVu Sans', weights: both, ranges: signRanges },
  'noto-sans-math': { subset: 'latin', family: 'Noto Sans Math', weights: [400 as const] },
  'noto-color-emoji': { subset: 'emoji', family: 'Noto Color Emoji', weights: [400 as const] },
};
/**
 * Packages that contain their font both as a single file per weight and as numbered slices. The slices contain rare
 * characters that the single file lacks. A web page loads only the slices that it needs, instead of a single file of
 * several megabytes. The emoji package is not listed, because Chromium draws its slices blank.
 */
const sliced = ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'] as const;

// Packages are resolved from the working directory, which is always the checkout.
const folderOf = (name: string) =>
  dirname(createRequire(join(process.cwd(), 'package.json')).resolve(`@fontsource/${name}/package.json`));

function fontFile(name: string, subset: string, font: FontName): FontFile {
  const style = font.italic ? 'italic' : 'normal';
  return { ...font, path: join(folderOf(name), 'files', `${name}-${subset}-${font.weight}-${style}`) };
}

/** Returns the name and version of each package of the standard fonts, for cache keys. */
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

/** Returns the characters that each subset of a package is meant for, in the syntax of `unicode-range`. */
async function rangesOf(name: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(folderOf(name), 'unicode.json'), 'utf8'));
}

/**
 * Returns the files of the standard fonts (Noto Sans and its fallbacks) in regular and, where available, bold. Includes
 * the italics of Noto Sans.
 */
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
  const others = Object.entries(scripts).flatMap(([name, { subset, family, weights, ...more }]) =>
    weights.map((weight) => ({ ...fontFile(name, subset, { family, weight, italic: false }), ...more })),
  );
  return [...sans, ...others];
}

/**
 * Returns all slices, in regular weight. They contain characters that the main fonts lack, but also many characters
 * that the main fonts contain.
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

/** Returns all slices for web pages, each with the characters that it is meant for. */
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
 * Returns the font library's files, each with the characters that it is meant for. Keeps the order of each package's
 * own CSS. The order matters when several files contain a character, because browsers then use the last of these files.
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
