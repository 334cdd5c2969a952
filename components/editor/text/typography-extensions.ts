import { Extension, Mark } from '@tiptap/react';
import { blockProps, runProps } from '@/components/document/typography';
import { cssText } from './css-text';
import { type BlockFormat, ownFormat, ownTypography, type Typography } from './typography-attributes';

/** Parses an attribute that this module writes as JSON. In pasted HTML, it may be invalid. */
function readJson(element: HTMLElement, attribute: string): unknown {
  try {
    return JSON.parse(element.getAttribute(attribute) ?? '{}');
  } catch {
    return {};
  }
}

const typographyKeys: (keyof Typography)[] = ['font', 'size', 'color', 'colorId', 'tracking', 'position'];

/** The typography of runs as drawn on the page: font, size, color, tracking, superscript and subscript. */
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

/** The paragraph style and the spacing of paragraphs, headings and lists. */
export const blockFormat = Extension.create({
  name: 'blockFormat',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'bulletList', 'orderedList'],
      attributes: Object.fromEntries(
        formatKeys.map((key) => [
          key,
          {
            default: null,
            parseHTML: (element: HTMLElement) => ownFormat(readJson(element, 'data-format'))[key],
            // Each attribute renders the whole format. The last one wins, which is fine because all are the same.
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
});
