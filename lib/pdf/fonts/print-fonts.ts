import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fontFamilies } from '@/lib/document/font-families';
import { isIn, type PrintedCharacters, type Range } from '@/lib/document/printed-characters';
import { browserUser } from '../chromium/browser-user';
import { cachedFolder } from '../chromium/cached-folder';
import { codePoints, joinRanges, restrictCmap } from './code-points';
import { type FontFile, fontVersions, mainFonts, rareFonts } from './font-files';
import { readWoff, writeTtf } from './woff-to-ttf';

/** Increase this when the conversion changes, so that cached fonts are not reused. */
const LAYOUT = 3;
const COVERAGE = 'coverage.json';

/**
 * Returns the text of a fontconfig file that offers only Atelier's fonts, regardless of the family that a page
 * requests. Output is therefore the same on all machines. The font path is relative, so that the installation can be
 * moved.
 */
function fontsConf(): string {
  const family = (name: string) => `<family>${name}</family>`;
  const alias = (name: string) =>
    `  <alias>${family(name)}<prefer>${fontFamilies().map(family).join('')}</prefer></alias>\n`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">ttf</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <match target="font">
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
    <edit name="hintstyle" mode="assign"><const>hintnone</const></edit>
  </match>
${['sans-serif', 'serif', 'monospace', 'system-ui'].map(alias).join('')}</fontconfig>
`;
}

async function writeReadable(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content);
  // Set the mode explicitly, regardless of the umask, because another user may have to read the file.
  await chmod(path, 0o644);
}

async function fillWithFonts(folder: string): Promise<void> {
  const files = join(folder, 'ttf');
  await mkdir(files);
  await chmod(files, 0o755);
  let covered: Range[] = [];
  const add = async (font: FontFile, onlyNew: boolean) => {
    const read = readWoff(await readFile(`${font.path}.woff`));
    const cmap = read.tables.get('cmap');
    if (!cmap) throw new Error(`${font.path} has no characters`);
    if (font.ranges) read.tables.set('cmap', restrictCmap(cmap, font.ranges));
    const points = codePoints(read.tables.get('cmap') ?? cmap);
    const isNew = points.some(([first, last]) => {
      for (let point = first; point <= last; point += 1) if (!isIn(covered, point)) return true;
      return false;
    });
    if (onlyNew && !isNew) return;
    covered = joinRanges([...covered, ...points]);
    await writeReadable(join(files, `${basename(font.path)}.ttf`), writeTtf(read, font));
  };
  for (const font of await mainFonts()) await add(font, false);
  const named = covered;
  for (const font of await rareFonts()) await add(font, true);
  await writeReadable(
    join(folder, COVERAGE),
    JSON.stringify({ all: covered, named } satisfies PrintedCharacters),
  );
  await writeReadable(join(folder, 'fonts.conf'), fontsConf());
}

/**
 * Converts the packaged web fonts to TrueType files, which the printing browser finds through fontconfig. The first
 * call for a version of the fonts converts them, which takes about two seconds and 30 MB. Later calls only look up the
 * result. Safe to call from any number of processes at once. Returns the folder that contains `fonts.conf`. Without
 * these fonts, a machine that has no fonts of its own would silently print pages without text.
 */
export async function printFonts(dataDir: string, user = browserUser()): Promise<string> {
  const key = JSON.stringify([LAYOUT, fontFamilies(), await fontVersions()]);
  const name = `fonts-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  return cachedFolder({ dataDir: resolve(dataDir), user, name, fill: fillWithFonts });
}

let coverage: Promise<PrintedCharacters> | undefined;

/** Returns the characters that the converted fonts contain. */
export function printedCharacters(dataDir: string): Promise<PrintedCharacters> {
  const read = async () =>
    JSON.parse(await readFile(join(await printFonts(dataDir), COVERAGE), 'utf8')) as PrintedCharacters;
  coverage ??= read().catch((error: unknown) => {
    coverage = undefined;
    throw error;
  });
  return coverage;
}
