import { expect, test } from 'vitest';
import { routeName } from '@/lib/http/route-name';

test.each<[string, Record<string, string | string[]>, string]>([
  ['/api/matlib/info/oak', { id: 'oak' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/%6f%61k', { id: 'oak' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/%6f%61k', { id: '%6f%61k' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/a%2Fb', { id: 'a/b' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/%2541', { id: '%41' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/%2541', { id: '%2541' }, '/api/matlib/info/{id}'],
  ['/api/matlib/info/%E0', { id: '%E0' }, '/api/matlib/info/{id}'],
  ['/api/no/such', { path: ['no', 'such'] }, '/api/{path}/{path}'],
])('all calls of a route have one name: %s', async (path, params, name) => {
  expect(await routeName(path, { params: Promise.resolve(params) })).toBe(name);
});

test('the name of a route without parameters is its path', async () => {
  expect(await routeName('/api/health', { params: Promise.resolve({}) })).toBe('/api/health');
});
