import { expect, test } from 'vitest';
import { isSameOrigin } from '@/lib/auth/origin';
import { secretMatches } from '@/lib/auth/shared-secret';

const secret = 's'.repeat(32);

test.each<[string | null, (string | undefined)[], boolean]>([
  [secret, [secret], true],
  [secret, [undefined, secret], true],
  [secret, ['x'.repeat(32), secret], true],
  [secret, ['x'.repeat(32)], false],
  [secret, [], false],
  [secret, [undefined], false],
  [null, [secret], false],
  [null, [undefined], false],
  [null, [''], false],
  ['', [secret], false],
  ['undefined', [undefined], false],
  [`${secret} `, [secret], false],
  [secret.slice(1), [secret], false],
  [secret.toUpperCase(), [secret], false],
])('secretMatches(%j, %j) returns %s', (given, accepted, matches) => {
  expect(secretMatches(given, accepted)).toBe(matches);
});

const app = 'https://atelier.example/';

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ origin: 'https://atelier.example' }, true],
  [{ origin: 'https://atelier.example', 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }, true],
  [{ origin: 'https://www.example', host: 'inner:3000', 'x-forwarded-host': 'www.example' }, true],
  [{ origin: 'https://evil.example', host: 'atelier.example' }, false],
  [{ origin: 'https://atelier.example', 'sec-fetch-site': 'cross-site' }, false],
  [{ 'sec-fetch-site': 'same-site' }, false],
  [{ origin: 'null', host: 'atelier.example' }, false],
  [{ origin: 'https://atelier.example.evil.example' }, false],
  [{ origin: 'https://atelier.example:444', host: 'atelier.example' }, false],
  [{ origin: '', host: 'atelier.example' }, false],
])('isSameOrigin with the headers %o returns %s', (headers, same) => {
  expect(isSameOrigin(new Headers(headers), app)).toBe(same);
});
