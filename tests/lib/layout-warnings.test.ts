import { expect, test } from 'vitest';
import { type PageInput, pageData } from '@/lib/document/page-model';
import { pageSheet, type SheetPlan } from '@/lib/document/sheets';
import { layoutWarnings } from '@/lib/pdf/layout-warnings';

const square = { width: 210, height: 210 };
const shape = { type: 'shape', kind: 'rect', fill: '#112233' } as const;

/** Returns the messages for a square page that has these elements and lies on a sheet with a 3 mm bleed. */
function messagesOf(elements: PageInput['elements'], placed: Partial<SheetPlan['pages']>): string[] {
  const page = pageData.parse({ id: 'a', elements });
  const plan: SheetPlan = {
    size: square,
    language: 'en',
    isPureBlack: false,
    edge: { bleed: 3, cropMarks: false },
    pages: { size: square, scale: 1, left: 0, top: 0, ...placed },
    sheets: [pageSheet({ size: square, margin: null, language: 'en', masters: [] }, page, 1, 1)],
  };
  return layoutWarnings(plan).map(({ message }) => message);
}

test('an element that ends at an edge of the sheet needs a bleed, which is wider on a page that is scaled down', () => {
  const bleeding = (mm: number) => [{ id: 's', ...shape, x: 50, y: -mm, w: 50, h: 50 }];
  expect(messagesOf(bleeding(3), {})).toEqual([]);
  expect(messagesOf(bleeding(3), { scale: 0.5 })).toEqual([
    'Trimming can leave a white line. Extend the element 6 mm beyond the page.',
  ]);
  expect(messagesOf(bleeding(6), { scale: 0.5 })).toEqual([]);
});

test('an element that ends at an edge of its page which is not an edge of the sheet needs no bleed', () => {
  const atTop = [{ id: 's', ...shape, x: 50, y: 0, w: 50, h: 50 }];
  expect(messagesOf(atTop, {})).toHaveLength(1);
  expect(messagesOf(atTop, { top: 43.5 })).toEqual([]);
  expect(messagesOf(atTop, { left: 43.5 })).toHaveLength(1);
});
