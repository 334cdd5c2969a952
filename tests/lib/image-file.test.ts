import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fairQueue } from '@/lib/process/fair-queue';
import { checkImage, type ImageCheckSource } from '@/lib/storage/image-file';

const source: ImageCheckSource = { line: 'uploads', owner: 'somebody' };

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Returns a PNG that claims to be `side` pixels wide and high but contains too little pixel data for that. */
function pngOf(side: number, { bits, isInterlaced }: { bits: 8 | 16; isInterlaced: boolean }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([bits, 6, 0, 0, isInterlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(side * bits))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_image', message: expect.stringMatching(message) });

test('an image that would decode to 512 MB is refused based on its header, with a message', async () => {
  const bytes = pngOf(8_000, { bits: 16, isInterlaced: false });
  await expect(checkImage(bytes, source)).rejects.toEqual(refusal(/too large when decoded/));
});

test('a large interlaced PNG is refused based on its header, with a message', async () => {
  const bytes = pngOf(5_000, { bits: 8, isInterlaced: true });
  await expect(checkImage(bytes, source)).rejects.toEqual(refusal(/without interlacing/));
});

test('a large PNG with 8 bits and without interlacing is accepted, and so is a small interlaced one', async () => {
  const create = { width: 4_200, height: 4_200, channels: 4 as const, background: '#ffffff80' };
  const large = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
  expect(await checkImage(large, source)).toMatchObject({ mimeType: 'image/png', width: 4_200 });
  const small = await sharp({ create: { ...create, width: 300, height: 200 } })
    .png({ progressive: true })
    .toBuffer();
  expect(await checkImage(small, source)).toMatchObject({ mimeType: 'image/png', width: 300, height: 200 });
});

test('the outputs of a workflow do not wait for uploads of users', async () => {
  const upload = Promise.withResolvers<void>();
  const uploading = fairQueue('image-uploads').run('somebody', () => upload.promise);
  const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  expect(await checkImage(png, { line: 'outputs', owner: 'a project' })).toMatchObject({ width: 4 });
  upload.resolve();
  await uploading;
});
