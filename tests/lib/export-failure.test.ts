import { ProtocolError } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { MemoryExceeded } from '@/lib/export/browser-memory';
import { exportFailure } from '@/lib/export/export-failure';

test('an export that takes too much memory fails in words and is not tried again', () => {
  expect(exportFailure(new MemoryExceeded(512 * 1024 * 1024))).toEqual({
    type: 'failed',
    code: 'too_large',
    error: expect.stringContaining('needs more than the limit of 512 MB of memory'),
    retryable: false,
  });
});

test('an export whose browser was lost is tried again, and an error of ours is not taken for that', () => {
  expect(exportFailure(new ProtocolError('Target closed'))).toMatchObject({
    code: 'browser_lost',
    retryable: true,
  });
  expect(() => exportFailure(new TypeError('x'))).toThrow(TypeError);
});
