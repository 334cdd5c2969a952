import { parseSvg, type SvgElement } from './parse-svg';
import { requireModestCost } from './svg-cost';
import { SvgRefusal } from './svg-refusal';
import { declarationsFor, parseStyles, rulesBySelector } from './svg-styles';
import { isKept, keptValue } from './svg-values';

/** The maximum size in bytes of an SVG file, before and after cleaning. */
export const MAX_SVG_BYTES = 256 * 1024;
/** The longer side of a cleaned SVG in pixels. */
const LONG_SIDE = 2_048;
const MAX_ASPECT = 100;
const MAX_DECLARATIONS = 100_000;

/** Supported elements: shapes, and elements that group, reuse, clip, mask or paint them. */
const drawn = new Set(
  'g defs symbol use path rect circle ellipse line polyline polygon clipPath mask linearGradient radialGradient stop'.split(
    ' ',
  ),
);
/** Elements to remove with their content, because they draw nothing. Rules in `style` elements become attributes. */
const leftOut = new Set(['title', 'desc', 'metadata', 'style']);
const texts = new Set(['text', 'tspan', 'textPath', 'tref']);

function refusalOf(name: string): SvgRefusal {
  if (texts.has(name)) return new SvgRefusal('The SVG has text. Convert it to outlines.');
  if (name === 'script') return new SvgRefusal('The SVG has a script.');
  if (name === 'image') return new SvgRefusal('The SVG has an embedded image, which is not supported.');
  if (/^(animate|set$)/.test(name)) return new SvgRefusal('The SVG is animated.');
  return new SvgRefusal(`The SVG has the element “${name.slice(0, 40)}”, which is not supported.`);
}

function stylesOf(element: SvgElement): string {
  const own = element.name === 'style' ? element.text : '';
  return own + element.children.map(stylesOf).join('');
}

/** An SVG that has only supported elements and attributes, and its size in pixels. */
export type CleanSvg = { svg: string; width: number; height: number };

type Frame = { viewBox: string; width: number; height: number };

/**
 * Parses a length and ignores its unit, because only the proportions matter. Returns NaN for a percentage or a missing
 * length.
 */
const sizeOf = (value = '') =>
  value === '' || value.includes('%') ? Number.NaN : Number.parseFloat(keptValue('width', value));

/** Returns the visible part of the drawing, and its size after scaling the longer side to `LONG_SIDE`. */
function frameOf({ attributes }: SvgElement): Frame {
  const given = attributes.get('viewBox');
  const box = given
    ? keptValue('viewBox', given)
        .split(/[\s,]+/)
        .map(Number)
    : [0, 0, sizeOf(attributes.get('width')), sizeOf(attributes.get('height'))];
  const [x = 0, y = 0, w = Number.NaN, h = Number.NaN] = box;
  if (box.length !== 4 || !box.every(Number.isFinite) || w <= 0 || h <= 0)
    throw new SvgRefusal('The SVG has no size: it needs a viewBox.');
  if (Math.max(w / h, h / w) > MAX_ASPECT) throw new SvgRefusal('The SVG is too long and thin.');
  const scale = LONG_SIDE / Math.max(w, h);
  return {
    viewBox: [x, y, w, h].join(' '),
    width: Math.max(1, Math.round(w * scale)),
    height: Math.max(1, Math.round(h * scale)),
  };
}

/**
 * Returns a copy of a drawing with only supported elements and attributes. Style rules become attributes. Throws
 * SvgRefusal for an unsupported element or value, because the drawing would look different without it.
 */
function cleaned(root: SvgElement): SvgElement {
  const rules = rulesBySelector(parseStyles(stylesOf(root)));
  const ids = new Set<string>();
  let declared = 0;
  const attributesFor = (element: SvgElement) => {
    const kept = new Map<string, string>();
    for (const [name, value] of element.attributes) {
      if (/^on/i.test(name)) throw new SvgRefusal('The SVG has a script.');
      if (!isKept(name) || value.trim() === '') continue;
      // Keep an id only once, because renderers disagree about which of several elements with the same id to use.
      if (name === 'id' && ids.has(value.trim())) continue;
      const safe = keptValue(name, value);
      if (name === 'id') ids.add(safe);
      kept.set(name, safe);
    }
    const declarations = declarationsFor(element, rules);
    declared += declarations.length;
    if (declared > MAX_DECLARATIONS) throw new SvgRefusal('The SVG has too many styles.');
    for (const [name, value] of declarations) {
      if (isKept(name) && !/^(id|href|d|points|viewBox)$/.test(name)) kept.set(name, keptValue(name, value));
    }
    return kept;
  };
  const copy = (element: SvgElement): SvgElement => ({
    ...element,
    attributes: attributesFor(element),
    text: '',
    children: element.children
      .filter(({ name }) => !leftOut.has(name))
      .map((child) => {
        if (!drawn.has(child.name)) throw refusalOf(child.name);
        return copy(child);
      }),
  });
  return copy(root);
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: string) => value.replace(/[&<>"]/g, (found) => escapes[found] ?? '');

function written({ name, attributes, children }: SvgElement): string {
  const values = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  return children.length === 0
    ? `<${name}${values}/>`
    : `<${name}${values}>${children.map(written).join('')}</${name}>`;
}

/**
 * Returns whether a file starts with `<`, ignoring a byte order mark and white space. Reads only the first 64 bytes.
 */
export function startsLikeXml(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('utf8');
  return head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('<');
}

/**
 * Rebuilds an SVG file from its supported elements and attributes, so that the result cannot run scripts, load other
 * files or keep a renderer busy. Cleaning the result again can change only its white space. Throws SvgRefusal.
 */
export function cleanSvg(bytes: Uint8Array): CleanSvg {
  if (bytes.length > MAX_SVG_BYTES)
    throw new SvgRefusal(`The SVG is larger than ${MAX_SVG_BYTES / 1024} KB.`);
  const parsed = parseSvg(utf8(bytes));
  const { viewBox, width, height } = frameOf(parsed);
  const root = cleaned(parsed);
  requireModestCost(root, width * height);
  for (const name of ['x', 'y', 'viewBox', 'width', 'height', 'preserveAspectRatio'])
    root.attributes.delete(name);
  const attributes = new Map([
    ['xmlns', 'http://www.w3.org/2000/svg'],
    ['viewBox', viewBox],
    ['width', String(width)],
    ['height', String(height)],
    ...root.attributes,
  ]);
  const svg = written({ ...root, attributes });
  // Copying style rules to attributes can make a short file much longer.
  if (Buffer.byteLength(svg) > MAX_SVG_BYTES) throw new SvgRefusal('The SVG is too large.');
  return { svg, width, height };
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SvgRefusal('The SVG is not in UTF-8.');
  }
}
