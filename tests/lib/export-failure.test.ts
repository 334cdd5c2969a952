import { writeFile } from 'node:fs/promises';
import { ProtocolError } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { HttpError } from '@/lib/errors/problem';
import { exportFailure } from '@/lib/export/export-failure';
import { MemoryExceeded } from '@/lib/pdf/browser-memory';
import { BrowserStartError } from '@/lib/pdf/chromium/start-process';
import { ImagesTooLarge } from '@/lib/pdf/printed-images';

test('an export that exceeds the memory limit fails with a message, and is retried only if others were printing too', () => {
  const maxBytes = 512 * 1024 * 1024;
  expect(exportFailure(new MemoryExceeded(maxBytes, false))).toMatchObject({ retryable: true });
  expect(exportFailure(new MemoryExceeded(maxBytes, true))).toEqual({
    type: 'failed',
    code: 'too_large',
    error: expect.stringContaining('needs more than the limit of 512 MB of memory'),
    retryable: false,
  });
});

test('a browser that another bundle could not start is reported as unavailable', () => {
  const error = Object.assign(new Error('Chromium did not start.'), { name: 'BrowserStartError' });
  expect(exportFailure(error)).toMatchObject({ code: 'browser_unavailable', retryable: true });
});

test.each([
  ['images that are larger than storage accepts', new ImagesTooLarge(52_428_800), '52.4 MB'],
  ['a PDF that storage rejects', new HttpError('too_large'), 'The PDF is larger than file storage accepts.'],
])('the message about %s names the limits to raise', (_, error, reason) => {
  const outcome = exportFailure(error);
  expect(outcome).toMatchObject({ code: 'too_large', retryable: false });
  expect(outcome).toHaveProperty('error', expect.stringContaining(reason));
  expect(outcome).toHaveProperty(
    'error',
    expect.stringMatching(/raise the limit in the storage settings: the global one, .* bucket “exports”\.$/),
  );
});

test('an export for which the disk is too full says so and is retried, also if storage or the browser reports it', async () => {
  const full = await writeFile('/dev/full', 'x').catch((error: unknown) => error);
  const stored = new HttpError('unavailable', 'File storage is unavailable.', { cause: full });
  const started = new BrowserStartError('Chromium did not start.', 'write: No space left on device', null);
  for (const error of [full, stored, started]) {
    expect(exportFailure(error)).toEqual({
      type: 'failed',
      code: 'disk_full',
      error: expect.stringMatching(/^There is not enough disk space on the server for the export\./),
      retryable: true,
    });
  }
});

test('an export whose browser was lost is retried, and any other error is thrown', () => {
  expect(exportFailure(new ProtocolError('Target closed'))).toMatchObject({
    code: 'browser_lost',
    retryable: true,
  });
  expect(() => exportFailure(new TypeError('x'))).toThrow(TypeError);
});
