import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayFileName } from '@/lib/http/file-name';
import { anyText } from '@/tests/setup/any-text';

test('a stored file name is a single line of at most 255 characters, whatever was sent', () => {
  const parts = fc.oneof(anyText(), fc.constantFrom('\u2028', '\u2029', '\u202e', '\r\n', '\0'));
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 300 }), (all) => {
      const name = displayFileName(all.join(''), 'file');
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(name.isWellFormed()).toBe(true);
      expect([...name].length).toBeGreaterThan(0);
      expect([...name].length).toBeLessThanOrEqual(255);
    }),
  );
});
