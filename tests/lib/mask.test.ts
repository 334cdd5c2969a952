import { expect, test } from 'vitest';
import { masked } from '@/lib/log/mask';

test.each([
  ['a token', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[secret]'],
  ['a secret key', '"key":"sb_secret_abcDEF-123_x"', '"key":"[secret]"'],
  ['a signing key', 'whsec_a+b/c9==', '[secret]'],
  [
    'a signed address',
    '"http://x/storage/v1/object/sign/specs/a.pdf?token=eyJhbGciOiJIUzI1NiJ9.eyJ1cmwiOiJ4In0.sig&x=1"',
    '"http://x/storage/v1/object/sign/specs/a.pdf?token=[secret]&x=1"',
  ],
  [
    'the token of an address that is none of Supabase',
    'https://x/?a=1&token=abc"',
    'https://x/?a=1&token=[secret]"',
  ],
  [
    'nothing',
    '{"msg":"work","attempt":1,"subjectId":"6f1c"}',
    '{"msg":"work","attempt":1,"subjectId":"6f1c"}',
  ],
])('%s', (_what, line, shown) => {
  expect(masked(line)).toBe(shown);
});
