import { crc32 } from 'node:zlib';

/** A file of a ZIP file. Its name has slashes between folders. */
export type ZipEntry = { name: string; bytes: Uint8Array; modified: Date };

/** From here on, a number is written in the fields of ZIP64. */
const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;
const VERSION_64 = 45;

type Written = { name: Buffer; crc: number; size: number; time: number; date: number; offset: number };

/** The date and time of MS-DOS, which start in 1980 and count in steps of two seconds. */
function dosTime(at: Date): { time: number; date: number } {
  const years = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

/** Little-endian fields, each with its number of bytes. */
function fields(...parts: [bytes: 2 | 4 | 8, value: number][]): Buffer {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of parts) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

function localHeader({ name, crc, size, time, date }: Written): Buffer {
  const head = fields(
    [4, 0x04034b50],
    [2, VERSION],
    [2, FLAGS],
    [2, 0],
    [2, time],
    [2, date],
    [4, crc],
    [4, size],
    [4, size],
    [2, name.length],
    [2, 0],
  );
  return Buffer.concat([head, name]);
}

function directoryEntry({ name, crc, size, time, date, offset }: Written): Buffer {
  const extra = offset < MAX_32 ? Buffer.alloc(0) : fields([2, 1], [2, 8], [8, offset]);
  const version = offset < MAX_32 ? VERSION : VERSION_64;
  const head = fields(
    [4, 0x02014b50],
    [2, version],
    [2, version],
    [2, FLAGS],
    [2, 0],
    [2, time],
    [2, date],
    [4, crc],
    [4, size],
    [4, size],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, Math.min(offset, MAX_32)],
  );
  return Buffer.concat([head, name, extra]);
}

function directoryEnd(count: number, size: number, offset: number): Buffer {
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(size, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0],
  );
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  const end64 = fields(
    [4, 0x06064b50],
    [8, 44],
    [2, VERSION_64],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, offset],
  );
  return Buffer.concat([end64, fields([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]), end]);
}

async function* zipBytes(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes, modified } of entries) {
    const entry = {
      name: Buffer.from(name),
      crc: crc32(bytes),
      size: bytes.length,
      ...dosTime(modified),
      offset,
    };
    const header = localHeader(entry);
    yield header;
    yield bytes;
    directory.push(directoryEntry(entry));
    offset += header.length + bytes.length;
  }
  const whole = Buffer.concat(directory);
  yield whole;
  yield directoryEnd(directory.length, whole.length, offset);
}

/**
 * A ZIP file as a stream, one file after the other and without compression: images are compressed already. Only one file
 * is in memory at a time; each must be smaller than 4 GB. When `entries` fails, the stream fails without the directory at
 * its end, so that nothing takes it for a complete ZIP file; `onError` is told.
 */
export function zipStream(
  entries: AsyncIterable<ZipEntry>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const bytes = zipBytes(entries);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { value, done } = await bytes.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError(error);
          throw error;
        }
      },
      cancel: async () => {
        await bytes.return();
      },
    },
    { highWaterMark: 0 },
  );
}
