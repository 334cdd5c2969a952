import { boundsOf } from './bounds';
import { marginsOf } from './margins';
import { placeholders } from './masters';
import type { PageData, TextBlock } from './page-model';
import type { SheetSize } from './sheets';

/** Height of the area at the lower edge of a page that contains the footer, in millimeters. */
export const FOOTER_HEIGHT = 12;

/** Which parts of the footer a page prints, and the footer's margin in millimeters. */
export type Footer = { hasTitle: boolean; hasNumber: boolean; margin: number };

const runsOf = (block: TextBlock) => (block.type === 'list' ? block.items.flat() : block.runs);

/**
 * Returns the footer of a page. The footer leaves out the title or the number if the page's master prints it in the
 * footer area. `margin` is the document's margin setting.
 */
export function footerOf(
  page: PageData,
  master: PageData | null,
  size: SheetSize,
  margin: number | null,
): Footer {
  const inFooter = (master?.elements ?? []).flatMap((element) =>
    element.type === 'text' && boundsOf(element).bottom > size.height - FOOTER_HEIGHT
      ? element.blocks.flatMap(runsOf)
      : [],
  );
  // A placeholder that spans several runs is not filled in, so it does not count.
  const prints = (placeholder: string) => inFooter.some(({ text }) => text.includes(placeholder));
  return {
    hasTitle: page.footer && !prints(placeholders.title),
    hasNumber: page.footer && !prints(placeholders.page),
    margin: marginsOf(margin, size).footer,
  };
}
