import { SvgRefusal } from './svg-refusal';

const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?`;
const length = `${number}(?:px|pt|pc|mm|cm|in|%)?`;
const color = String.raw`(?:[a-z]{3,25}|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/deg+-]+\))`;
// Excludes `%`, because a renderer that decodes percent-encoding would draw targets whose cost `requireModestCost` has
// not counted.
const id = String.raw`[^\s"'()<>&#\\%]{1,200}`;
const reference = String.raw`url\(\s*(["']?)#${id}\1\s*\)`;
const word = '[a-zA-Z-]{1,30}';
const transforms = String.raw`(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s.,e+-]*\)[\s,]*)*`;

const grammar = (source: string) => new RegExp(`^${source}$`, 'i');

/**
 * The maximum length of a value other than path or point data. The regular expressions that check such values take
 * quadratic time in the worst case.
 */
const MAX_LENGTH = 2_000;
/** The largest number in a value. Larger numbers can make renderers very slow, and drawings do not need them. */
const MAX_NUMBER = 1_000_000;

const values = {
  id: grammar(id),
  number: grammar(number),
  length: grammar(length),
  lengths: grammar(`${length}(?:[\\s,]+${length}){0,3}`),
  paint: grammar(`(?:${color}|${reference}(?:\\s+${color})?)`),
  color: grammar(color),
  reference: grammar(`(?:none|${reference})`),
  link: grammar(`#${id}`),
  word: grammar(word),
  words: grammar(`${word}(?:\\s+${word}){0,2}`),
  none: grammar('none'),
  transform: grammar(transforms),
  path: /^[\sMZLHVCSQTA\d.,e+-]*$/i,
  points: /^[\s\d.,e+-]*$/i,
};
type Kind = keyof typeof values;

const kinds: [Kind, string][] = [
  ['id', 'id'],
  ['path', 'd'],
  ['points', 'points'],
  ['lengths', 'viewBox'],
  ['transform', 'transform gradientTransform'],
  ['link', 'href'],
  ['length', 'x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr offset stroke-width stroke-dashoffset'],
  ['paint', 'fill stroke'],
  ['color', 'color stop-color'],
  ['length', 'opacity fill-opacity stroke-opacity stop-opacity'],
  ['number', 'stroke-miterlimit'],
  ['reference', 'clip-path mask'],
  // Dashed lines are rejected, because a renderer can take very long for tiny dashes on a long line.
  ['none', 'stroke-dasharray'],
  ['word', 'fill-rule clip-rule stroke-linecap stroke-linejoin display visibility spreadMethod'],
  ['word', 'gradientUnits clipPathUnits maskUnits maskContentUnits mask-type'],
  ['words', 'preserveAspectRatio'],
];
const kindOf = new Map(kinds.flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])));

/** Returns whether an attribute or style property is kept. */
export function isKept(name: string): boolean {
  return kindOf.has(name);
}

function hasHugeNumber(value: string): boolean {
  // Match exponents of any length, because path data may contain them. `number` allows at most two digits.
  const found = value.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  return found.some((text) => Number(text) > MAX_NUMBER);
}

/** Returns the trimmed value of a kept attribute. Throws SvgRefusal if the value is not supported. */
export function keptValue(name: string, given: string): string {
  const value = given.trim();
  const kind = kindOf.get(name);
  const isDrawing = kind === 'path' || kind === 'points';
  if (kind && (isDrawing || value.length <= MAX_LENGTH) && values[kind].test(value)) {
    // Ids and colors are exempt from the check for huge numbers, because an id or a color, such as `#1e9999`, can look
    // like a huge number.
    if (['id', 'link', 'paint', 'color', 'reference'].includes(kind) || !hasHugeNumber(value)) return value;
  }
  if (/url\(|^[a-z]+:|^[/.]/i.test(value) && (kind === 'paint' || kind === 'reference' || kind === 'link')) {
    throw new SvgRefusal('The SVG refers to another file.');
  }
  if (name === 'stroke-dasharray')
    throw new SvgRefusal('The SVG has dashed lines. Convert them to outlines.');
  throw new SvgRefusal(`The SVG has a value of “${name}” that is not supported.`);
}

/** Returns the ids that an attribute refers to, such as `a` for `fill="url(#a)"` and `href="#a"`. */
export function referredIds(name: string, value: string): string[] {
  const kind = kindOf.get(name);
  if (kind === 'link') return [value.slice(1)];
  if (kind !== 'paint' && kind !== 'reference') return [];
  const [, found] = /#([^\s"')]+)["']?\s*\)/.exec(value) ?? [];
  return found === undefined ? [] : [found];
}
