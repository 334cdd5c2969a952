import { expect, test } from 'vitest';
import { readMultipart } from '@/lib/http/multipart';
import { spool } from '@/lib/storage/spool';
import { openSpools } from '@/tests/app/support/open-spools';
import { poll } from '@/tests/app/support/poll';

const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';

test('an upload that stops arriving is aborted, and its spooled file is closed', async () => {
  const request = new Request('http://app.test', {
    method: 'POST',
    body: new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(`${head}%PDF-1.7`)),
    }),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    ...{ duplex: 'half' },
  });
  const reading = readMultipart(request, {
    fileField: 'file',
    maxBytes: 1024 * 1024,
    onFile: (stream) => spool(stream, 1024),
    pace: { bytes: 1024, ms: 100 },
  });
  await expect(reading).rejects.toMatchObject({ code: 'too_slow' });
  await poll('the file is closed', async () => openSpools(process.pid).length === 0);
});
