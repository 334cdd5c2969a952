import { HttpError } from '@/lib/errors/problem';
import { logger } from '@/lib/log/logger';
import { readGlyphs } from '@/lib/pdf/fonts/code-points';
import { type FontTrial, tryFont } from '@/lib/pdf/fonts/try-font';
import { withBrowser } from '@/lib/pdf/warm-browser';
import { fairQueue } from '@/lib/process/fair-queue';
import { unusable } from './read-font';
import { type FontTables, readTables } from './read-tables';

const DEADLINE_MS = 10_000;
/** Maximum number of characters that are drawn to check a font. */
const MAX_TRIED = 500;
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

// Private-use characters count as visible, because icon fonts contain little else.
const invisible = /^[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]$/u;

/** Returns the first characters of a font that have a glyph and are normally visible. */
function visibleCharacters(tables: FontTables): string[] {
  try {
    const glyphs = readGlyphs(tables.get('cmap') ?? Buffer.alloc(4), MAX_TRIED);
    const characters = [...glyphs.keys()].map((point) => String.fromCodePoint(point));
    return characters.filter((character) => !invisible.test(character)).slice(0, MAX_TRIED);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [];
  }
}

/** Returns the meaning of a message of the OpenType Sanitizer, which validates fonts for the browser. */
function inPlainWords(reason: string): string {
  const [, tag, detail] = /^([!-~][ -~]{3}): (.*)/.exec(reason) ?? [];
  if (tag)
    return `its table “${tag.trim()}” is ${detail === 'missing required table' ? 'missing' : 'damaged'}`;
  return reason.startsWith('overlapping tables') ? 'its tables overlap' : 'it is damaged';
}

/**
 * Returns the letters without ink if the font has ink for others of the same case. A font whose small letters are all
 * empty has only capitals, and an icon font may use all letters only to spell the names of icons.
 */
function missingLetters(characters: string[], blank: ReadonlySet<string>): string[] {
  return [LETTERS.slice(0, 26), LETTERS.slice(26)].flatMap((letters) => {
    const inFont = letters.filter((letter) => characters.includes(letter));
    const empty = inFont.filter((letter) => blank.has(letter));
    return empty.length < inFont.length ? empty : [];
  });
}

function tryInBrowser(font: Buffer, characters: string[]): Promise<FontTrial> {
  return withBrowser(logger(), (browser, kill) =>
    tryFont(browser, kill, { font, characters, signal: AbortSignal.timeout(DEADLINE_MS) }),
  );
}

/**
 * Checks that the printing browser accepts a font, and that the font draws its letters. Checks one font at a time; users take turns. Throws `invalid_font` with the reason, or `unavailable` if
 * the browser cannot be started, is lost or does not finish in time.
 */
export async function requirePrintable(font: Buffer, userId: string): Promise<void> {
  const tables = (await readTables(font)) ?? new Map();
  const characters = visibleCharacters(tables);
  const tried = characters.length > 0 ? characters : LETTERS;
  const trial = await fairQueue('fonts')
    .run(userId, () => tryInBrowser(font, tried))
    .catch((cause: unknown) => {
      throw new HttpError('unavailable', 'The font cannot be checked right now.', { retryAfter: 30, cause });
    });
  if (!trial.isUsable) throw unusable(inPlainWords(trial.reason));
  if (!trial.isUsed) throw unusable('its character map (table “cmap”) has no usable character');
  const blank = new Set(trial.blank);
  if (tried.every((character) => blank.has(character))) throw unusable('it draws none of its characters');
  const missing = missingLetters(characters, blank);
  if (missing.length > 0) throw unusable(`it draws nothing for ${missing.join(', ')}`);
}
