import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { HttpError } from '@/lib/errors/problem';

/** A file that was copied to disk. It is already unlinked, so closing its handle deletes it. */
export type SpooledFile = { handle: FileHandle; sizeBytes: number; sha256: string };

/**
 * Writes a stream to a temporary file, so that it is not held in memory. The file is unlinked right after it is opened,
 * so a crash leaves nothing behind. The caller must close the handle. Throws `too_large` if the stream exceeds
 * `maxBytes`.
 */
export async function spool(stream: Readable, maxBytes: number): Promise<SpooledFile> {
  const path = join(tmpdir(), `atelier-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) {
        throw new HttpError(
          'too_large',
          `The file can have at most ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
        );
      }
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    return { handle, sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Returns the bytes of a spooled file, from the start, as a web stream. The handle stays open. */
export function readSpooled({ handle }: SpooledFile): ReadableStream {
  return Readable.toWeb(handle.createReadStream({ start: 0, autoClose: false })) as ReadableStream;
}
