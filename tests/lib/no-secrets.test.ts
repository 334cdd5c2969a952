import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const shapes: Record<string, RegExp> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}/,
  'a token': /\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{20,}/,
  'a key of Supabase': /\bsb_secret_[A-Za-z0-9]{16,}|\bsbp_[0-9a-f]{32,}/,
  'an access token': /\batl_[0-9a-f]{64}\b/,
  'the token of a share link': /\bshr_[0-9a-f]{64}\b/,
  'a signing key': /\bwhsec_[A-Za-z0-9+/]{24,}/,
  'a token of a code host or a registry':
    /\b(gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{20}|npm_[A-Za-z0-9]{36})/,
  'a key of a cloud or an AI': /\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bsk-[\w-]{32,}|\bxox[abp]-[\w-]{20,}/,
};

const found = (text: string) =>
  Object.entries(shapes).flatMap(([what, shape]) => (shape.test(text) ? [what] : []));

test('no file of the checkout contains a secret', () => {
  const files = globSync('{.,**}/{*,.*}', {
    exclude: ({ name }) =>
      ['node_modules', '.git', '.atelier', '.next', 'env', '.env', '.env.local'].includes(name),
    withFileTypes: true,
  }).filter((entry) => entry.isFile() && !/\.(png|tsbuildinfo)$/.test(entry.name));
  const paths = files.map((entry) => `${entry.parentPath}/${entry.name}`);
  expect(paths.length).toBeGreaterThan(500);
  expect(paths.some((path) => path.endsWith('/.env.example'))).toBe(true);
  const leaks = paths.flatMap((path) => found(readFileSync(path, 'utf8')).map((what) => `${path}: ${what}`));
  expect(leaks).toEqual([]);
});

// The secrets are assembled here, so this file does not contain them.
test.each([
  [
    'a token',
    [
      'eyJ',
      'hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.',
      'eyJ',
      'zdWIiOiIxMjM0NTY3ODkwIn0.',
      'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    ],
  ],
  ['a key of Supabase', ['sb_', 'secret_', 'a1B2c3D4e5F6g7H8i9']],
  ['an access token', ['atl', '_', '9f'.repeat(32)]],
  ['the token of a share link', ['shr', '_', '9f'.repeat(32)]],
  ['a signing key', ['whsec', '_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']],
  ['a private key', ['-----BEGIN EC ', 'PRIVATE KEY-----\n', 'MHcCAQEEIIGVFZ1VbN7hQ2n']],
  ['a key of a cloud or an AI', ['AKIA', 'IOSFODNN7EXAMPLE']],
])('the search for secrets finds %s', (what, parts) => {
  expect(found(parts.join(''))).toEqual([what]);
});
