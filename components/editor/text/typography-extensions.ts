import { Extension, Mark } from '@tiptap/react';
import { blockStyle, runProps } from '@/components/document/typography';
import { cssText } from './css-text';
import { ownSpacing, ownTypography, type Spacing, type Typography } from './typography-attributes';

/** Parses an attribute that this module writes as JSON. Pasted HTML may have anything in it. */
function readJson(element: HTMLElement, attribute: string): unknown {
  try {
    return JSON.parse(element.getAttribute(attribute) ?? '{}');
  } catch {
    return {};
  }
}

const typographyKeys: (keyof Typography)[] = ['font', 'size', 'color', 'colorId', 'tracking', 'position'];

/** The typography of runs: font, size, color, tracking, superscript and subscript, drawn as on the page. */
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

const spacingKeys: (keyof Spacing)[] = ['spaceBefore', 'spaceAfter', 'lineHeight'];

/** The spacing of paragraphs, headings and lists. */
export const spacing = Extension.create({
  name: 'spacing',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'bulletList', 'orderedList'],
      attributes: Object.fromEntries(
        spacingKeys.map((key) => [
          key,
          {
            default: null,
            parseHTML: (element: HTMLElement) => ownSpacing(readJson(element, 'data-spacing'))[key],
            // Each attribute renders the whole style. The last one wins, which is fine because all are the same.
            renderHTML: (attributes: Record<string, unknown>) => {
              const own = ownSpacing(attributes);
              const style = blockStyle(own);
              return style ? { style: cssText(style), 'data-spacing': JSON.stringify(own) } : {};
            },
          },
        ]),
      ),
    },
  ],
});
