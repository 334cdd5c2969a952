import { link } from '@/lib/document/page-model';
import { BLACK, pureBlack } from '@/lib/document/pure-black';

/** The kinds of content that text elements do not support, each with its name for the user and its CSS selector. */
const dropped = [
  ['strikethrough', 's, strike, del'],
  ['images', 'img'],
  ['table lines', 'table'],
] as const;

const directChildren = (element: Element, ...tags: string[]) =>
  [...element.children].filter((child) => tags.includes(child.tagName.toLowerCase()));

/** Replaces a table with one paragraph per row, with tabs between the cells. */
function flattenTable(table: Element): void {
  const { ownerDocument } = table;
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
  const paragraphs = rows.map((row) => {
    const cells = directChildren(row, 'td', 'th').map((cell) =>
      (cell.textContent ?? '').replace(/\s+/g, ' ').trim(),
    );
    const paragraph = ownerDocument.createElement('p');
    // Keep the parser from turning tabs into spaces.
    paragraph.style.whiteSpace = 'pre';
    paragraph.textContent = cells.join('\t');
    return paragraph;
  });
  table.replaceWith(...paragraphs);
}

type Line = (Node | string)[];

const LISTS = 'ul, ol';
const BLOCKS = `${LISTS}, p, div, h1, h2, h3, h4, h5, h6, blockquote, pre`;

/** Returns an inline element with the formatting of `element` and with `line` as its content. */
function inlineOf(element: Element, line: Line): Element {
  const { ownerDocument } = element;
  const copy = element.matches(BLOCKS)
    ? ownerDocument.createElement('span')
    : ownerDocument.importNode(element, false);
  copy.setAttribute('style', element.getAttribute('style') ?? '');
  copy.append(...line);
  return copy;
}

/** Returns the lines of an item of a nested list. The first line starts with a dash or a number. */
function nestedLines(item: Element, index: number): Line[] {
  const [first = [], ...others] = linesOf(item);
  const marker = item.parentElement?.matches('ol') ? `${index + 1}) ` : '– ';
  return [[marker, ...first], ...others];
}

/** Returns the content of a list item as lines: its text, its paragraphs, and the items of its nested lists. */
function linesOf(item: Element): Line[] {
  const lines: Line[] = [[]];
  for (const node of item.childNodes) {
    const isInline = !(node instanceof Element) || !(node.matches(BLOCKS) || node.querySelector(BLOCKS));
    if (isInline) lines.at(-1)?.push(node);
    else if (node.matches(LISTS)) lines.push(...[...node.children].flatMap(nestedLines), []);
    else lines.push(...linesOf(node).map((line) => [inlineOf(node, line)]), []);
  }
  return lines.filter((line) => line.some((part) => typeof part === 'string' || part.textContent?.trim()));
}

/**
 * Replaces each nested list with lines of its parent item, so that the numbering of the outer list continues after that
 * item. The paragraphs of the parent item also become lines, because a list item can have only one paragraph.
 */
function flattenLists(body: Element): void {
  for (const list of body.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    // Word processors put a nested list after its parent item, not inside it.
    if (list.previousElementSibling) list.previousElementSibling.append(list);
    else list.replaceWith(...list.childNodes);
  }
  for (const item of body.querySelectorAll('li:not(li li):has(ul, ol)')) {
    const lines = linesOf(item).map((line, index) =>
      index === 0 ? line : [item.ownerDocument.createElement('br'), ...line],
    );
    item.replaceChildren(...lines.flat());
  }
}

/** Returns whether a color is ordinary for text: nearly black, or nearly white, which is ordinary on a dark page. */
function isOrdinary(color: string): boolean {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return pureBlack(color) === BLACK || Math.min(...channels) > 0xe0;
}

/**
 * Wraps colored text in spans that the rich-text editor parses as colored. Text in an ordinary color gets no span, so
 * that it takes the color of its text element.
 */
function keepColors(body: HTMLElement): void {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return;
  for (const part of body.querySelectorAll<HTMLElement>(':is(span, font, a, b, strong, i, em, u)')) {
    const css = part.style.color || part.getAttribute('color');
    // A superscript or subscript keeps its position but not its color.
    if (!css || part.closest('[data-typography], sup, sub')) continue;
    context.fillStyle = BLACK;
    context.fillStyle = css;
    const color = String(context.fillStyle);
    // For a translucent color, `fillStyle` is not hexadecimal.
    if (!/^#[0-9a-f]{6}$/.test(color) || isOrdinary(color)) continue;
    const colored = part.ownerDocument.createElement('span');
    colored.dataset.typography = JSON.stringify({ color });
    colored.append(...part.childNodes);
    part.append(colored);
  }
}

const wordsOf = (list: string[]) =>
  list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;

/**
 * Converts pasted HTML to what text elements support: table rows become paragraphs with tabs between the cells, and
 * nested lists become lines of their parent items. `lost` is a message about content that a text element cannot keep,
 * or null if there is none.
 */
export function textHtml(html: string): { html: string; lost: string | null } {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const lost: string[] = dropped.flatMap(([name, selector]) => (body.querySelector(selector) ? [name] : []));
  const refused = [...body.querySelectorAll('a[href]')].filter(
    (anchor) => !link.safeParse(anchor.getAttribute('href')).success,
  );
  if (refused.length > 0) lost.push('links that do not start with http, https or mailto');
  keepColors(body);
  for (const table of [...body.querySelectorAll('table')].reverse()) flattenTable(table);
  flattenLists(body);
  return {
    html: body.innerHTML,
    lost: lost.length > 0 ? `The text was pasted without its ${wordsOf(lost)}.` : null,
  };
}
