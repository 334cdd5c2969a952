import { type FileHandle, open } from 'node:fs/promises';
import type { DerivedImage } from './derive-image';

/** A derived image on disk. The JPEG and the mask are in one file, so that neither exists without the other. */
export type DerivativeFile = Pick<DerivedImage, 'width' | 'height'> & {
  path: string;
  /** Size of the JPEG in bytes. */
  jpegBytes: number;
  /** Size of the mask in bytes; 0 when there is no mask. */
  maskBytes: number;
};

const MAGIC = 'ATELIER1';
const HEAD = 24;
const PIECE = 1 << 20;

/** Returns the content of a derived image's file. */
export function packDerivative({ width, height, jpeg, mask }: DerivedImage): Uint8Array {
  const head = Buffer.alloc(HEAD);
  head.write(MAGIC, 'latin1');
  for (const [at, value] of [width, height, jpeg.length, mask?.length ?? 0].entries()) {
    head.writeUInt32BE(value, MAGIC.length + at * 4);
  }
  return Buffer.concat([head, jpeg, mask ?? Buffer.alloc(0)]);
}

async function readHead(file: FileHandle, path: string): Promise<DerivativeFile | null> {
  const head = Buffer.alloc(HEAD);
  const { bytesRead } = await file.read(head, 0, HEAD, 0);
  if (bytesRead < HEAD || head.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const [width = 0, height = 0, jpegBytes = 0, maskBytes = 0] = [0, 1, 2, 3].map((at) =>
    head.readUInt32BE(MAGIC.length + at * 4),
  );
  const { size } = await file.stat();
  return size === HEAD + jpegBytes + maskBytes ? { path, width, height, jpegBytes, maskBytes } : null;
}

/**
 * Reads the header of a derived image's file. Returns null if the file is incomplete or invalid. Throws when there is
 * no file.
 */
export async function openDerivative(path: string): Promise<DerivativeFile | null> {
  const file = await open(path);
  try {
    return await readHead(file, path);
  } finally {
    await file.close();
  }
}

/** Yields the bytes of the JPEG or the mask, in pieces. */
export async function* readDerivative(
  file: DerivativeFile,
  part: 'jpeg' | 'mask',
): AsyncGenerator<Uint8Array> {
  const start = part === 'jpeg' ? HEAD : HEAD + file.jpegBytes;
  const end = start + (part === 'jpeg' ? file.jpegBytes : file.maskBytes);
  const handle = await open(file.path);
  try {
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('A derived image ends too early.');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}
