import { expect, test } from 'vitest';
import { viewsAtScale, withViews } from '@/lib/document/image-views';

const key = 'images/projects/p/jobs/j/1/a b.png';
const images = withViews('p', new Map([[key, { width: 1000, height: 500 }]]));
const widthsOf = (sources = '') => sources.split(', ').map((source) => source.split(' ').at(-1));

test('a browser can choose among smaller images, up to the size of the original', () => {
  const views = images.get(key)?.views;
  expect(widthsOf(views?.sources)).toEqual(['320w', '800w', '1000w']);
  expect(views?.sources).toMatch(
    /^\/api\/projects\/p\/pages\/images\?key=images%2Fprojects%2Fp%2Fjobs%2Fj%2F1%2Fa\+b.png&width=320 320w, /,
  );
  const large = withViews('p', new Map([['id', { width: 9000, height: 500 }]]));
  expect(widthsOf(large.get('id')?.views?.sources)).toEqual(['320w', '800w', '1600w', '3200w']);
});

test('images at a scale are the same objects until the scale doubles', () => {
  const miniature = viewsAtScale(images, 0.13);
  expect(miniature.get(key)?.views?.scale).toBe(0.25);
  expect(viewsAtScale(images, 0.2)).toBe(miniature);
  expect(viewsAtScale(images, 1).get(key)?.views?.scale).toBe(1);
  expect(viewsAtScale(images, 1.1).get(key)?.views?.scale).toBe(2);
  const printed = new Map([['id', { src: 'https://example.com', width: 1, height: 1 }]]);
  expect(viewsAtScale(printed, 2).get('id')).toEqual({ src: 'https://example.com', width: 1, height: 1 });
});
