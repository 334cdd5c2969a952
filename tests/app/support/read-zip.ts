import { crc32 } from 'node:zlib';

type Unzipped = { name: string; bytes: Buffer; modified: Date };

/**
 * Reads the files that the directory of an uncompressed ZIP archive lists. Throws if the archive is incomplete or
 * damaged.
 */
export function readZip(zip: Buffer): Unzipped[] {
  const end = zip.length - 22;
  if (end < 0 || zip.readUInt32LE(end) !== 0x06054b50) throw new Error('The directory is missing.');
  const files: Unzipped[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let n = zip.readUInt16LE(end + 10); n > 0; n -= 1) {
    if (zip.readUInt32LE(at) !== 0x02014b50) throw new Error('The directory is damaged.');
    const [time, date] = [zip.readUInt16LE(at + 12), zip.readUInt16LE(at + 14)];
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = zip.readUInt32LE(at + 42);
    const own = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
    const bytes = zip.subarray(own, own + zip.readUInt32LE(at + 24));
    if (zip.readUInt32LE(start) !== 0x04034b50 || crc32(bytes) !== zip.readUInt32LE(at + 16)) {
      throw new Error(`${name} is damaged.`);
    }
    const day = [1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31] as const;
    const modified = new Date(...day, time >> 11, (time >> 5) & 63, (time & 31) * 2);
    files.push({ name, bytes, modified });
    at += 46 + nameLength + extraLength;
  }
  return files;
}
