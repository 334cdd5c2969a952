import { link } from '@/lib/document/page-model';

/** Formatting that texts do not support, with the selector of its elements. */
const dropped = [
  ['strikethrough', 's, strike, del'],
  ['images', 'img'],
] as const;

const directChildren = (element: Element, ...tags: string[]) =>
  [...element.children].filter((child) => tags.includes(child.tagName.toLowerCase()));

/** Replaces a table by one paragraph per row, with tabs between the cells. */
function flattenTable(table: Element): void {
  const { ownerDocument } = table;
  const rows = [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);
  const paragraphs = rows.map((row) => {
    const cells = directChildren(row, 'td', 'th').map((cell) =>
      (cell.textContent ?? '').replace(/\s+/g, ' ').trim(),
    );
    const paragraph = ownerDocument.createElement('p');
    // Otherwise the parser turns tabs into spaces.
    paragraph.style.whiteSpace = 'pre';
    paragraph.textContent = cells.join('\t');
    return paragraph;
  });
  table.replaceWith(...paragraphs);
}

/**
 * Moves the items of a nested list into the item that contains it, one per line, so the numbering of the outer list
 * continues after them.
 */
function flattenList(list: Element): void {
  const { ownerDocument } = list;
  const isOrdered = list.tagName.toLowerCase() === 'ol';
  const lines = directChildren(list, 'li').flatMap((item, index) => {
    const line = ownerDocument.createElement('span');
    line.append(isOrdered ? `${index + 1}) ` : '– ', ...item.childNodes);
    return [ownerDocument.createElement('br'), line];
  });
  const before = list.previousElementSibling;
  // Word processors put a nested list after the item, not into it.
  const item = list.closest('li') ?? (before?.tagName.toLowerCase() === 'li' ? before : null);
  if (!item) return;
  list.remove();
  // An item can have only one paragraph.
  (item.querySelector('p') ?? item).append(...lines);
}

const wordsOf = (list: string[]) =>
  list.length < 2 ? list.join('') : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;

/**
 * Converts pasted HTML to what texts support: rows of tables become lines with tabs, and nested lists become lines of
 * their item. `lost` is a message about what a text cannot keep, or null if it keeps everything.
 */
export function textHtml(html: string): { html: string; lost: string | null } {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const lost: string[] = dropped.flatMap(([name, selector]) => (body.querySelector(selector) ? [name] : []));
  const refused = [...body.querySelectorAll('a[href]')].filter(
    (anchor) => !link.safeParse(anchor.getAttribute('href')).success,
  );
  if (refused.length > 0) lost.push('links that do not start with http, https or mailto');
  for (const table of [...body.querySelectorAll('table')].reverse()) flattenTable(table);
  for (const list of [...body.querySelectorAll('li ul, li ol, ul > ul, ul > ol, ol > ul, ol > ol')].reverse())
    flattenList(list);
  return {
    html: body.innerHTML,
    lost: lost.length > 0 ? `The text was pasted without its ${wordsOf(lost)}.` : null,
  };
}
