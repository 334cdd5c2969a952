import { expect, test } from 'vitest';
import { unknownImages, withCopies } from '@/components/editor/paste/paste-images';
import { type DocumentImages, pageElement } from '@/lib/document/page-model';

const [known, foreign, hidden] = [1, 2, 3].map((n) => `b0000000-0000-4000-8000-00000000000${n}`);
const path = 'images/projects/p/jobs/j/1/a.png';
const frame = { x: 0, y: 0, w: 10, h: 10 };
const image = (id: string, source: { imageId?: string; path?: string }) =>
  pageElement.parse({ ...frame, id, type: 'image', ...source });
const text = pageElement.parse({ ...frame, id: 'text', type: 'text', blocks: [] });
const material = pageElement.parse({
  ...frame,
  id: 'material',
  type: 'material',
  materialId: 'oak',
  title: 'Oak',
  imageId: foreign,
});
const elements = [
  image('known', { imageId: known }),
  text,
  image('foreign', { imageId: foreign }),
  image('variant', { path }),
  image('hidden', { imageId: hidden }),
  image('empty', {}),
  material,
];
const images: DocumentImages = new Map([[known ?? '', { src: '', width: 1, height: 1 }]]);
const sourcesOf = (all: typeof elements) =>
  all.flatMap((element) =>
    element.type === 'image' || element.type === 'material'
      ? [[element.id, element.imageId ?? element.path]]
      : [],
  );

const table = (...sources: { imageId?: string | null; path?: string | null }[]) =>
  pageElement.parse({
    ...frame,
    id: 'table',
    type: 'table',
    columns: [{ label: '' }, { label: '' }],
    rows: sources.map((source) => ['Oak', { ...source, text: 'Board', alt: 'A board' }]),
  });

test('only images that the document does not have yet are requested, each once', () => {
  expect(unknownImages(elements, images)).toEqual([foreign, path, hidden]);
  expect(unknownImages([text], images)).toEqual([]);
  expect(unknownImages([table({ imageId: hidden }, {}, { path })], images)).toEqual([hidden, path]);
});

test('pasted elements show the copies of their images, and those without a copy are empty and reported', () => {
  const copy = 'b0000000-0000-4000-8000-00000000000a';
  const copied = [
    { key: foreign ?? '', newKey: copy, url: null, width: 1, height: 1 },
    { key: path, newKey: path, url: null, width: 1, height: 1 },
  ];
  const failed = [{ key: hidden ?? '', reason: 'not_available' as const }];
  const pasted = withCopies(elements, { images: copied, failed });
  expect(sourcesOf(pasted.elements)).toEqual([
    ['known', known],
    ['foreign', copy],
    ['variant', path],
    ['hidden', null],
    ['empty', null],
    ['material', copy],
  ]);
  expect(pasted.leftOut).toBe(
    '1 image could not be copied: you have no access, or the file is missing or too large. Its frame is empty.',
  );
  const cells = table({ imageId: foreign }, { path }, { imageId: hidden });
  expect(withCopies([cells], { images: copied, failed }).elements).toEqual([
    table({ imageId: copy }, { path }, { imageId: null }),
  ]);
  const damaged = { key: path, reason: 'invalid_image' as const };
  expect(withCopies(elements, { images: [], failed: [...failed, damaged] }).leftOut).toBe(
    '2 images could not be copied: you have no access, or the file is missing or too large; or the file is not a valid image. Their frames are empty.',
  );
  expect(withCopies([text], { images: [], failed: [] }).leftOut).toBeNull();
});
