import { type ChangeObject, diffArrays } from 'diff';

/** A piece of text that is in both versions, only in the newer one, or only in the older one. */
export type TextPiece = { op: 'same' | 'added' | 'removed'; text: string };

/** The length above which texts are compared sentence by sentence instead of word by word. */
const MAX_WORD_CHARS = 40_000;
/** Maximum number of differences. The cost of a comparison grows with the square of their number. */
const MAX_EDITS = 300;
/** How many characters of an unchanged piece are shown next to a change. */
const CONTEXT_CHARS = 120;
const MAX_PIECE_CHARS = 2_000;
const MAX_PIECES = 200;

/**
 * Matches a word, a run of white space, or any other single character. Each Chinese, Japanese or Thai character is
 * matched separately, because these scripts put no spaces between words.
 */
const word = /(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}])[\p{L}\p{N}\p{M}])+|\s+|./gsu;
const sentence = /[^.!?。]*[.!?。]+\s*|[^.!?。]+$/gu;

const opOf = ({ added, removed }: ChangeObject<string[]>): TextPiece['op'] => {
  if (added) return 'added';
  return removed ? 'removed' : 'same';
};

/** Joins changes separated only by white space, so a rewritten passage becomes one removed and one added piece. */
function joinChanges(pieces: TextPiece[]): TextPiece[] {
  const joined: TextPiece[] = [];
  let removed = '';
  let added = '';
  let blank = '';
  const flush = () => {
    if (removed) joined.push({ op: 'removed', text: removed });
    if (added) joined.push({ op: 'added', text: added });
    if (blank) joined.push({ op: 'same', text: blank });
    [removed, added, blank] = ['', '', ''];
  };
  for (const { op, text } of pieces) {
    if (op === 'same') {
      if (text.trim() === '' && (removed || added) && !blank) blank = text;
      else {
        flush();
        joined.push({ op, text });
      }
      continue;
    }
    if (blank) {
      removed += removed && blank;
      added += added && blank;
      blank = '';
    }
    if (op === 'removed') removed += text;
    else added += text;
  }
  flush();
  return joined;
}

const startOf = (text: string, chars: number) => [...text.slice(0, chars * 2)].slice(0, chars).join('');
const endOf = (text: string, chars: number) => [...text.slice(-chars * 2)].slice(-chars).join('');

/** Cuts unchanged text to the parts next to changes, cuts long changes, and omits pieces past `MAX_PIECES`. */
function shorten(pieces: TextPiece[]): TextPiece[] {
  const shown = pieces.slice(0, MAX_PIECES).map(({ op, text }, n): TextPiece => {
    if (op !== 'same') {
      return { op, text: text.length > MAX_PIECE_CHARS ? `${startOf(text, MAX_PIECE_CHARS)} …` : text };
    }
    const isFirst = n === 0;
    const isLast = n === pieces.length - 1;
    if (text.length <= CONTEXT_CHARS * (isFirst || isLast ? 1 : 2)) return { op, text };
    const start = isFirst ? '' : startOf(text, CONTEXT_CHARS);
    const end = isLast ? '' : endOf(text, CONTEXT_CHARS);
    return { op, text: `${start} … ${end}` };
  });
  return pieces.length > MAX_PIECES ? [...shown, { op: 'same', text: ' …' }] : shown;
}

/** Returns added or removed text as one piece, shortened if it is long. */
export function wholeText(op: 'added' | 'removed', text: string): TextPiece[] {
  return text === '' ? [] : shorten([{ op, text }]);
}

/**
 * Compares two texts word by word, or sentence by sentence if they are long or very different. Returns the differences
 * with some text around each, or null if the texts are too different even for a comparison by sentences.
 */
export function compareText(before: string, after: string): TextPiece[] | null {
  const units = Math.max(before.length, after.length) > MAX_WORD_CHARS ? [sentence] : [word, sentence];
  for (const unit of units) {
    const steps = diffArrays(before.match(unit) ?? [], after.match(unit) ?? [], { maxEditLength: MAX_EDITS });
    if (steps) {
      return shorten(joinChanges(steps.map((step) => ({ op: opOf(step), text: step.value.join('') }))));
    }
  }
  return null;
}
