import { crc32, deflateSync } from 'node:zlib';

/** A text file, to be uploaded with the name and content type of an image. */
export const textFile = Buffer.from('This is a text and no picture.\n'.repeat(20));

/** Returns a PNG of less than 100 bytes whose header claims `side` x `side` pixels. */
export function pngThatClaims(side: number): Buffer {
  return png(side, [8, 2], Buffer.alloc(64)); // 8 bits per channel, RGB
}

/**
 * Returns a valid PNG of `side` x `side` black pixels. A large one is about a thousandth of the size of its pixel data.
 */
export function blackPng(side: number): Buffer {
  return png(side, [1, 0], Buffer.alloc(side * (1 + Math.ceil(side / 8)))); // 1 bit per pixel, gray
}

function png(side: number, depthAndColors: number[], pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set(depthAndColors, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const content = deflateSync(pixels);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', content), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
