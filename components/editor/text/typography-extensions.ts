import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';
import { Extension, Mark } from '@tiptap/react';
import { blockProps, runProps } from '@/components/document/typography';
import { isSame } from '@/lib/document/merge/same-value';
import { cssText } from './css-text';
import { type BlockFormat, ownFormat, ownTypography, type Typography } from './typography-attributes';

/** Parses an attribute that this module writes as JSON. Invalid JSON, for example in pasted HTML, counts as `{}`. */
function readJson(element: HTMLElement, attribute: string): unknown {
  try {
    return JSON.parse(element.getAttribute(attribute) ?? '{}');
  } catch {
    return {};
  }
}

const typographyKeys: (keyof Typography)[] = ['font', 'size', 'color', 'colorId', 'tracking', 'position'];

/** The mark for the font, size, color, tracking and position of a run. It is rendered as on the page. */
export const typography = Mark.create({
  name: 'typography',
  // As on the page, this mark encloses all others.
  priority: 1100,
  addAttributes: () =>
    Object.fromEntries(
      typographyKeys.map((key) => [
        key,
        {
          default: null,
          rendered: false,
          parseHTML: (element: HTMLElement) => ownTypography(readJson(element, 'data-typography'))[key],
        },
      ]),
    ),
  parseHTML: () => [
    { tag: 'span[data-typography]' },
    { tag: 'sup', attrs: { position: 'superscript' } },
    { tag: 'sub', attrs: { position: 'subscript' } },
  ],
  renderHTML: ({ mark }) => {
    const own = ownTypography(mark.attrs);
    const props = runProps(own);
    const style = cssText(props?.style ?? {});
    return ['span', { class: props?.className, style, 'data-typography': JSON.stringify(own) }, 0];
  },
});

const formatKeys: (keyof BlockFormat)[] = ['style', 'spaceBefore', 'spaceAfter', 'lineHeight'];
/** The types of nodes that are lists. */
export const lists = ['bulletList', 'orderedList'];

/** The types of nodes that have a block format. */
export const formattedNodes = ['paragraph', 'heading', ...lists];

/**
 * Returns a transaction that gives each list and its items the same format, or null if no format changes. In the page
 * model, only the list has a format. If the list does not set a property, it takes the property from its first item,
 * which may have been a paragraph before.
 */
function withSharedFormats({ doc, tr, storedMarks }: EditorState): Transaction | null {
  doc.forEach((list, start) => {
    if (!lists.includes(list.type.name)) return;
    const first = list.firstChild?.firstChild;
    const format = Object.fromEntries(
      formatKeys.map((key) => [key, list.attrs[key] ?? first?.attrs[key] ?? null]),
    );
    doc.nodesBetween(start, start + list.nodeSize, (node, at) => {
      const attrs = { ...node.attrs, ...format };
      if (formattedNodes.includes(node.type.name) && !isSame(attrs, node.attrs))
        tr.setNodeMarkup(at, undefined, attrs);
    });
  });
  // Changing the document resets the marks for the text to be typed next, so set them again.
  return tr.docChanged ? tr.setStoredMarks(storedMarks) : null;
}

/** Gives paragraphs, headings and lists attributes for their paragraph style and spacing. */
export const blockFormatExtension = Extension.create({
  name: 'blockFormat',
  addGlobalAttributes: () => [
    {
      types: formattedNodes,
      attributes: Object.fromEntries(
        formatKeys.map((key) => [
          key,
          {
            default: null,
            parseHTML: (element: HTMLElement) => ownFormat(readJson(element, 'data-format'))[key],
            // Each attribute renders the whole format. Merging the results changes nothing, because all are the same.
            renderHTML: (attributes: Record<string, unknown>) => {
              const own = ownFormat(attributes);
              const { className, style } = blockProps(own);
              return style
                ? { class: className, style: cssText(style), 'data-format': JSON.stringify(own) }
                : {};
            },
          },
        ]),
      ),
    },
  ],
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction: (transactions, _, state) =>
        transactions.some(({ docChanged }) => docChanged) ? withSharedFormats(state) : null,
    }),
  ],
});
