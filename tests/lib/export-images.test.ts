import { expect, test } from 'vitest';
import { MAX_IMAGE_PIXELS, projectDocument } from '@/lib/document/schema';
import { imageLocations } from '@/lib/export/parse-body';
import { requireImages, type Snapshot } from '@/lib/export/snapshot';

const [mine, huge, foreign] = [1, 2, 3].map((n) => `5f0f7c1e-1b7a-4f0e-9b25-6d1a0c3e4f5${n}`);

function snapshotOf(coverImage: string | undefined, pageImage: string | undefined): Snapshot {
  const image = { id: 'i', type: 'image', x: 0, y: 0, w: 9, h: 9, imageId: pageImage };
  const pages = [{ id: 'p', title: 'Wall', elements: [image] }];
  const { version: _, ...document } = projectDocument.parse({
    version: 0,
    cover: { imageId: coverImage },
    pages,
  });
  const file = (key = '', width = 10) => ({ key, path: `images/${key}`, width, height: 1 });
  return { ...document, projectName: 'House', images: [file(mine), file(huge, MAX_IMAGE_PIXELS + 1)] };
}

const check = (snapshot: Snapshot, includecover: boolean) =>
  requireImages(snapshot, imageLocations(snapshot.pages, null), { includecover });

test.each([
  [foreign, mine, 'cover', 'The cover: the project has no such image'],
  [huge, mine, 'cover', `The cover: the image has too many pixels to print (${MAX_IMAGE_PIXELS + 1} × 1)`],
  [mine, foreign, 'pages.0.elements.0', 'Page 1 “Wall”, image 1 “i”: the project has no such image'],
])('an image that cannot be printed is reported with its path', (cover, page, path, message) => {
  const refused = () => check(snapshotOf(cover, page), true);
  expect(refused).toThrow(
    expect.objectContaining({ message: `${message}.`, extra: { errors: [{ path, message }] } }),
  );
});

test('the image of a cover is checked only if the cover is printed', () => {
  expect(() => check(snapshotOf(foreign, mine), false)).not.toThrow();
  expect(() => check(snapshotOf(mine, mine), true)).not.toThrow();
});
