import { expect, test } from 'vitest';
import { masked } from '@/lib/log/mask';

test.each([
  ['a token', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[secret]'],
  ['an access token', `"authorization":"Bearer atl_${'0a'.repeat(32)}"`, '"authorization":"Bearer [secret]"'],
  [
    'the path of a share link',
    `"path":"/share/shr_${'0a'.repeat(32)}/images/6f1c"`,
    '"path":"/share/[secret]/images/6f1c"',
  ],
  [
    'the path of a mistyped share link',
    `"path":"/share/SHR_${'0a'.repeat(31)}/images/6f1c"`,
    '"path":"/share/[secret]/images/6f1c"',
  ],
  ['the token of a share link', `shr_${'0a'.repeat(32)} is unknown`, '[secret] is unknown'],
  ['a secret key', '"key":"sb_secret_abcDEF-123_x"', '"key":"[secret]"'],
  ['a signing key', 'whsec_a+b/c9==', '[secret]'],
  [
    'a signed URL',
    '"http://x/storage/v1/object/sign/specs/a.pdf?token=eyJhbGciOiJIUzI1NiJ9.eyJ1cmwiOiJ4In0.sig&x=1"',
    '"http://x/storage/v1/object/sign/specs/a.pdf?token=[secret]&x=1"',
  ],
  [
    "the token of a URL that is not Supabase's",
    'https://x/?a=1&token=abc"',
    'https://x/?a=1&token=[secret]"',
  ],
  ['a link to choose a password', 'https://x/set-password#abc-DEF_1"', 'https://x/set-password#[secret]"'],
  ['the URL of a mail server', 'smtps://user:pass@mail.x:465', 'smtps://[secret]@mail.x:465'],
  [
    'an ordinary line',
    '{"msg":"work","attempt":1,"subjectId":"6f1c"}',
    '{"msg":"work","attempt":1,"subjectId":"6f1c"}',
  ],
])('masked() hides only the secret part of %s', (_what, line, shown) => {
  expect(masked(line)).toBe(shown);
});
