import { describe, expect, test } from 'vitest';
import { type PageElement, pageData } from '@/lib/document/page-model';
import { orientation, pageFormat } from '@/lib/document/schema';
import { sheetSize } from '@/lib/document/sheets';
import type { TemplateContent } from '@/lib/document/templates/template';
import { imageTemplate, templates } from '@/lib/document/templates/templates';

const counts = Array.from({ length: 13 }, (_, count) => count);
const papers = pageFormat.options.flatMap((format) =>
  orientation.options.map((orientation) => ({ format, orientation })),
);

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

describe.each(templates.map((template) => [template.name, template] as const))('%s', (_, template) => {
  test.each(papers)(
    `the template ${template.name} fits $format $orientation, whatever its content`,
    (paper) => {
      const { width, height } = sheetSize(paper);
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
          for (const [index, element] of page.elements.entries()) {
            expect(element.x, what).toBeGreaterThanOrEqual(0);
            expect(element.y, what).toBeGreaterThanOrEqual(0);
            expect(element.x + element.w, what).toBeLessThanOrEqual(width);
            // The footer is below this limit.
            expect(element.y + element.h, what).toBeLessThanOrEqual(height - 15);
            expect(Math.min(element.w, element.h), what).toBeGreaterThan(8);
            for (const other of page.elements.slice(index + 1)) {
              expect(overlap(element, other), `${what}: ${element.id} and ${other.id}`).toBe(false);
            }
          }
        }
      }
    },
  );
});

test('an image sheet keeps the aspect ratio of its image where the page has room', () => {
  const content = { ...contentOf(1, 0), text: '' };
  const page = imageTemplate.make({ format: 'A4', orientation: 'portrait' }, content, 'p');
  const image = page.elements.find((element) => element.type === 'image');
  expect((image?.w ?? 0) / (image?.h ?? 1)).toBeCloseTo(0.7, 1);
});

test('a title becomes one line, without unprintable characters', () => {
  const page = imageTemplate.make({ format: 'A4', orientation: 'portrait' }, contentOf(1, 0), 'p');
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
      const page = template.make({ format: 'A4', orientation: 'landscape' }, content, 'p');
      expect(pageData.parse(page)).toEqual(page);
    }
  }
});
