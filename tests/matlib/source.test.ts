import { expect, test } from 'vitest';
import { pageUrl, sourceOf } from '@/lib/matlib/source';

test.each([
  ['https://api.polyhaven.com', undefined, 'Powered by Poly Haven'],
  ['https://mirror.example.test', undefined, 'Powered by Poly Haven'],
  ['http://127.0.0.1:54324', undefined, 'Sample materials'],
  ['http://127.0.0.1:8080', 'polyhaven', 'Powered by Poly Haven'],
  ['http://localhost:8080', 'polyhaven', 'Powered by Poly Haven'],
  ['https://samples.example.test', 'sample', 'Sample materials'],
] as const)('materials of %s with the source %s have the credit %j', (url, name, credit) => {
  expect(sourceOf(url, name).credit).toBe(credit);
});

test('a local mirror that names its source links to the pages of that source', () => {
  expect(pageUrl(sourceOf('http://127.0.0.1:8080', 'polyhaven'), 'oak')).toBe('https://polyhaven.com/a/oak');
  expect(pageUrl(sourceOf('http://127.0.0.1:8080'), 'oak')).toBeNull();
});
