import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FOOTER_HEIGHT } from '@/lib/document/footer';
import { type PageData, type PageElement, pageData } from '@/lib/document/page-model';
import { orientation, projectDocument } from '@/lib/document/schema';
import { sheetSize } from '@/lib/document/sheets';
import { templateStyles } from '@/lib/document/styles/named-styles';
import { swapTemplate } from '@/lib/document/templates/swap-page';
import type { StyledPaper, TemplateContent } from '@/lib/document/templates/template';
import { imageTemplate, templates } from '@/lib/document/templates/templates';

const counts = Array.from({ length: 13 }, (_, count) => count);
const paperOf = (paper: Partial<StyledPaper>): StyledPaper =>
  projectDocument.parse({ version: 0, pages: [], ...paper });
const papers = [
  ...(['A4', 'letter'] as const).flatMap((format) =>
    orientation.options.map((orientation) => paperOf({ format, orientation })),
  ),
  paperOf({ format: '16:9', orientation: 'landscape' }),
  paperOf({ format: 'square' }),
  paperOf({ format: 'A4', margin: 0 }),
];
const a4 = paperOf({ format: 'A4' });

function contentOf(images: number, materials: number): TemplateContent {
  return {
    title: 'Lobby\nin the “evening” \u0007',
    text: 'A calm lobby with a long oak counter. '.repeat(40),
    images: Array.from({ length: images }, (_, n) => ({
      imageId: null,
      path: `images/projects/p/inputs/${n}.png`,
      width: n % 2 ? 1600 : 700,
      height: 1000,
      alt: `Image ${n}`,
    })),
    materials: Array.from({ length: materials }, (_, n) => ({
      materialId: `oak_${n}`,
      title: `Oak ${n}`,
      swatch: '#b98d5b',
      rows: Array.from({ length: 30 }, (_, row) => ({ label: `Label ${row}`, value: 'Value' })),
      imageId: null,
      path: null,
    })),
  };
}

function overlap(a: PageElement, b: PageElement): boolean {
  const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
  return !apart;
}

/** Expects that all elements are above the footer and within the page, and that none overlaps another. */
function expectPlaced(page: PageData, paper: StyledPaper, what: string): void {
  const { width, height } = sheetSize(paper);
  const isWithin = ({ x, y, w, h }: PageElement) =>
    x >= 0 && y >= 0 && x + w <= width && y + h <= height - FOOTER_HEIGHT;
  expect(
    page.elements.filter((element) => !isWithin(element)),
    what,
  ).toEqual([]);
  // The tests compare millions of pairs, and an `expect` for each would take much longer.
  const overlapping = page.elements.flatMap((element, index) =>
    page.elements
      .slice(index + 1)
      .flatMap((other) => (overlap(element, other) ? [[element.id, other.id]] : [])),
  );
  expect(overlapping, what).toEqual([]);
}

describe.each(templates.map((template) => [template.name, template] as const))('%s', (_, template) => {
  test.each(papers)(
    `the template ${template.name} fits $format $orientation, regardless of its content`,
    (paper) => {
      for (const images of counts) {
        for (const materials of counts) {
          const page = template.make(paper, contentOf(images, materials), 'page-1');
          const what = `${images} images, ${materials} materials`;
          expect(pageData.parse(page), what).toEqual(page);
          expect(page.id).toBe('page-1');
          const shown = (type: string) => page.elements.filter((element) => element.type === type);
          if (images > 0) {
            const used = shown('image').filter((element) => 'path' in element && element.path !== null);
            expect(used, what).toHaveLength(Math.min(images, template.room.images));
          }
          if (materials > 0) {
            expect(shown('material'), what).toHaveLength(Math.min(materials, template.room.materials));
          }
          expectPlaced(page, paper, what);
          expect(Math.min(...page.elements.flatMap(({ w, h }) => [w, h])), what).toBeGreaterThan(8);
        }
      }
    },
  );
});

test('templates make valid pages on the smallest and the narrowest papers, with any margin and heading style', () => {
  for (const [width, height] of [
    [50, 50],
    [50, 1000],
    [1000, 50],
  ] as const) {
    for (const margin of [null, 0, 100]) {
      const styles = margin === 0 ? [{ ...templateStyles.heading, fontSize: 96 }] : [];
      const paper = paperOf({ format: 'custom', customSize: { width, height }, margin, styles });
      for (const template of [...templates, swapTemplate]) {
        for (const count of [0, 1, 12]) {
          const page = template.make(paper, contentOf(count, count), 'p');
          expect(pageData.parse(page), template.name).toEqual(page);
        }
      }
    }
  }
});

test('an image sheet keeps the aspect ratio of its image where the page has room', () => {
  const content = { ...contentOf(1, 0), text: '' };
  const page = imageTemplate.make(a4, content, 'p');
  const image = page.elements.find((element) => element.type === 'image');
  expect((image?.w ?? 0) / (image?.h ?? 1)).toBeCloseTo(0.7, 1);
});

test('a title becomes one line, without unprintable characters', () => {
  const page = imageTemplate.make(a4, contentOf(1, 0), 'p');
  expect(page.title).toBe('Lobby in the “evening”');
});

test('a page with hostile text is valid', () => {
  for (const words of [
    '\ud800'.repeat(500),
    '🙂'.repeat(300),
    '<script>alert(1)</script>'.repeat(100),
    '\0',
  ]) {
    for (const template of templates) {
      const content = { ...contentOf(1, 1), title: words, text: words };
      const page = template.make(paperOf({ orientation: 'landscape' }), content, 'p');
      expect(pageData.parse(page)).toEqual(page);
    }
  }
});

test('the page of a material swap has every image with its caption and every row, and no element overlaps another', () => {
  const fact = fc.oneof(
    fc.constantFrom('', 'Oak Veneer 01', 'https://polyhaven.com/a/oak_veneer_01', '樫の木の床'),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );
  const row = fc.record(
    { name: fact, maker: fact, license: fact, size: fact, reference: fact, imageId: fc.uuid() },
    { requiredKeys: ['name', 'maker', 'license', 'size', 'reference'] },
  );
  const image = fc.record({
    imageId: fc.constant(null),
    path: fc.constant('images/projects/p/a.png'),
    width: fc.integer({ min: 64, max: 4096 }),
    height: fc.integer({ min: 64, max: 4096 }),
    alt: fact,
    caption: fact,
  });
  const content = fc.record({
    title: fact,
    text: fc.constant(''),
    images: fc.array(image, { minLength: 1, maxLength: 9 }),
    materials: fc.constant<TemplateContent['materials']>([]),
    schedule: fc.array(row, { minLength: 1, maxLength: 32 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...papers), content, (paper, content) => {
      const page = swapTemplate.make(paper, content, 'page-1');
      expect(pageData.parse(page)).toEqual(page);
      expectPlaced(page, paper, 'swap');
      const shown = (type: string) => page.elements.filter((element) => element.type === type);
      expect(shown('image')).toHaveLength(content.images.length);
      expect(shown('text')).toHaveLength(content.images.length + 1);
      const [table] = shown('table');
      expect(table?.type === 'table' && table.rows).toHaveLength(content.schedule.length);
    }),
    { numRuns: 100 },
  );
});

test.each(papers.filter(({ format }) => format !== 'square'))(
  'the page of a swap with eight materials has images at least 35 mm wide, and the whole schedule, on $format $orientation',
  (paper) => {
    const rows = Array.from({ length: 8 }, (_, n) => ({
      name: `Oak Veneer 0${n}`,
      maker: 'Maker and Partner',
      license: 'CC0',
      size: '200 × 200 cm',
      reference: `https://polyhaven.com/a/oak_veneer_0${n}`,
    }));
    const { images } = contentOf(9, 0);
    const landscape = images.map((image) => ({ ...image, width: 1536, height: 1024, caption: 'Oak' }));
    const content = { title: 'Floor', text: '', images: landscape, materials: [], schedule: rows };
    const page = swapTemplate.make(paper, content, 'p');
    for (const element of page.elements) {
      if (element.type === 'image') expect(element.w).toBeGreaterThan(35);
      if (element.type === 'image') expect(element.w / element.h).toBeCloseTo(1.5, 1);
      if (element.type === 'table') expect(element.rows).toEqual(rows.map((row) => Object.values(row)));
    }
  },
);

test('a schedule has the pictures of its materials, and one that is too long for its page continues on the next pages', () => {
  const imageId = crypto.randomUUID();
  const row = { name: 'Oak', maker: 'Maker', license: 'CC0', size: '', reference: 'oak', imageId };
  const content = { ...contentOf(1, 0), title: 'Bath' };
  const tableWith = (count: number) => {
    const page = swapTemplate.make(paperOf({}), { ...content, schedule: Array(count).fill(row) }, 'p');
    const [table] = page.elements.flatMap((element) => (element.type === 'table' ? [element] : []));
    return table;
  };
  const few = tableWith(4);
  expect(few?.rows[0]).toEqual([
    { text: 'Oak', imageId, path: null, height: 12, alt: '' },
    'Maker',
    'CC0',
    '',
    'oak',
  ]);
  expect(few?.h).toBeGreaterThan(4 * 12);
  expect(few).not.toHaveProperty('flowId');
  const many = tableWith(32);
  expect(many?.rows).toHaveLength(32);
  expect(many).toMatchObject({ flowId: 'p', breaks: [] });
  expect(many?.h).toBeLessThan(297 * 0.6);
});
