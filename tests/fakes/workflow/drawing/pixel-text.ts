import { rollsFrom } from '@/tests/fakes/workflow/drawing/rolls';

// Each entry is a character and its glyph: seven rows of five pixels, with one base-32 digit per row. With this
// built-in font, the images do not depend on the machine's fonts.
const GLYPHS: Record<string, string> = Object.fromEntries(
  `Aehhvhhh Buhhuhhu Cehggghe Duhhhhhu Evgguggv Fvgguggg Gehgnhhf Hhhhvhhh Ie44444e J72222ic Khikokih
  Lggggggv Mhrllhhh Nhhpljhh Oehhhhhe Puhhuggg Qehhhlid Ruhhukih Sfgge11u Tv444444 Uhhhhhhe Vhhhhha4
  Whhhllla Xhha4ahh Yhhha444 Zv1248gv 0ehjlphe 14c4444e 2eh1248v 3v2421he 426aiv22 5vgu11he 668guhhe
  7v124888 8ehhehhe 9ehhf12c .00000cc ,0000c48 -000v000 :0cc0cc0 !4444004 ?eh12404 'c480000 /01248g0
  (2488842 )8422248 [e88888e ]e22222e +044v440 #aavavaa`
    .split(/\s+/)
    .map((entry) => [entry.charAt(0), entry.slice(1)]),
);

/** The distance from one character to the next, in pixels before scaling. */
export const ADVANCE = 6;
/** The distance from one line to the next, in pixels before scaling. */
export const LINE_HEIGHT = 10;

/** Wraps text into at most `lines` lines of at most `columns` characters and cuts off the rest. */
export function wrapText(text: string, columns: number, lines: number): string[] {
  const broken: string[] = [];
  let line = '';
  for (const word of [...plainCharacters(text)].join('').split(/\s+/)) {
    if (line && line.length + 1 + word.length > columns) {
      broken.push(line);
      line = '';
    }
    line = line ? `${line} ${word}` : word;
    if (broken.length === lines) break;
  }
  return [...broken, line].slice(0, lines).map((each) => each.slice(0, columns));
}

/**
 * Returns one line of text as an SVG path with its top left corner at `x`, `y`; `scale` is the size of a font pixel.
 */
export function pixelText(text: string, x: number, y: number, scale: number, fill: string): string {
  const runs = [...plainCharacters(text)].flatMap((character, index) =>
    glyphRows(character).flatMap((row, top) => pixelRuns(row, index * ADVANCE, top)),
  );
  return `<path transform="translate(${x} ${y}) scale(${scale})" fill="${fill}" d="${runs.join('')}"/>`;
}

function plainCharacters(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
}

function glyphRows(character: string): number[] {
  if (character.trim() === '') return [];
  const known = GLYPHS[character];
  if (known) return [...known].map((digit) => Number.parseInt(digit, 32));
  // A character without a glyph gets a pattern of its own, which looks random but is always the same.
  const roll = rollsFrom('glyph', character);
  return Array.from({ length: 7 }, () => 1 + Math.floor(roll() * 31));
}

function pixelRuns(row: number, left: number, top: number): string[] {
  const bits = row.toString(2).padStart(5, '0');
  return [...bits.matchAll(/1+/g)].map(
    ({ 0: run, index }) => `M${left + index} ${top}h${run.length}v1h-${run.length}z`,
  );
}
