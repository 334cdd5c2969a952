import sharp from 'sharp';
import { fetchWithRetry } from '@/tests/fakes/workflow/http-retry';

const FILE_TIMEOUT_MS = 60_000;
const LARGEST_FILE = 50 * 1024 * 1024;
const LARGEST_PIXELS = 64_000_000;
// While it simulates work, the fake keeps the fetched images of a job in memory, so they must be small.
const MAX_STORED_SIDE = 1600;

export type RetryOptions = { retryBaseMs: number; signal: AbortSignal };

/**
 * Fetches an image by its signed URL and shrinks it to at most `MAX_STORED_SIDE` pixels per side. Throws an error with
 * a readable message if the image cannot be fetched or read.
 */
export async function fetchPicture(
  what: string,
  url: string,
  retry: RetryOptions,
  { lossless = false } = {},
): Promise<Buffer> {
  const { status, body } = await fetchWithRetry(
    url,
    {},
    { ...retry, timeoutMs: FILE_TIMEOUT_MS, read: readBounded },
  );
  if (status !== 200) throw new Error(`the ${what} could not be fetched (${status ?? 'no answer'})`);
  if (!body) throw new Error(`the ${what} is larger than ${LARGEST_FILE / 1024 / 1024} MB`);
  try {
    const picture = sharp(body, { limitInputPixels: LARGEST_PIXELS })
      .autoOrient()
      .resize(MAX_STORED_SIDE, MAX_STORED_SIDE, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' });
    return await (lossless ? picture.png({ compressionLevel: 1 }) : picture.jpeg({ quality: 92 })).toBuffer();
  } catch {
    throw new Error(`the ${what} is not a picture that can be read`);
  }
}

/**
 * Uploads bytes to a signed slot. If the slot is already used, the upload counts as successful, because an earlier try
 * has stored the same bytes and only its response was lost. Throws an error with a readable message if the upload
 * fails.
 */
export async function putIntoSlot(
  url: string,
  body: Buffer,
  type: string | null,
  retry: RetryOptions,
): Promise<void> {
  const init = {
    method: 'PUT',
    headers: new Headers(type === null ? {} : { 'content-type': type }),
    body: new Uint8Array(body),
  };
  const { status, body: answer } = await fetchWithRetry(url, init, {
    ...retry,
    timeoutMs: FILE_TIMEOUT_MS,
    read: (response) => response.text(),
  });
  if (status === 200 || status === 409 || answer?.includes('"Duplicate"')) return;
  throw new Error(`a picture could not be stored (${status ?? 'no answer'})`);
}

async function readBounded(response: Response): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_FILE) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
