import { ProtocolError } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { exportFailure } from '@/lib/export/export-failure';
import { MemoryExceeded } from '@/lib/pdf/browser-memory';

test('an export that needs too much memory fails with a message, and is retried only if it did not print alone', () => {
  const maxBytes = 512 * 1024 * 1024;
  expect(exportFailure(new MemoryExceeded(maxBytes, false))).toMatchObject({ retryable: true });
  expect(exportFailure(new MemoryExceeded(maxBytes, true))).toEqual({
    type: 'failed',
    code: 'too_large',
    error: expect.stringContaining('needs more than the limit of 512 MB of memory'),
    retryable: false,
  });
});

test('an export whose browser was lost is retried, and an error of ours is not mistaken for that', () => {
  expect(exportFailure(new ProtocolError('Target closed'))).toMatchObject({
    code: 'browser_lost',
    retryable: true,
  });
  expect(() => exportFailure(new TypeError('x'))).toThrow(TypeError);
});
