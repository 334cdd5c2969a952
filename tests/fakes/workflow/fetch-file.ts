import { createHash } from 'node:crypto';
import { fetchWithRetry } from '@/tests/fakes/workflow/http-retry';

const FILE_TIMEOUT_MS = 60_000;

export type AnnouncedFile = { url: string; size_bytes: number; sha256: string };

/**
 * Fetches a file by its signed URL and checks its size and hash. Stops reading once the announced size is exceeded.
 * Throws an error with a readable message if the file cannot be fetched or differs from the announced one.
 */
export async function fetchFile(
  file: AnnouncedFile,
  retryBaseMs: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const read = (response: Response) => readAnnounced(response, file.size_bytes);
  const options = { retryBaseMs, timeoutMs: FILE_TIMEOUT_MS, signal, read };
  const { status, body } = await fetchWithRetry(file.url, {}, options);
  if (status !== 200 || !body) throw new Error(`the file could not be fetched (${status ?? 'no answer'})`);
  if (body.size !== file.size_bytes) {
    const found = body.size > file.size_bytes ? 'longer' : `${body.size} bytes long`;
    throw new Error(`the file was announced with ${file.size_bytes} bytes but is ${found}`);
  }
  const sha256 = createHash('sha256').update(body.bytes).digest('hex');
  if (sha256 !== file.sha256) throw new Error('the file differs from the one announced (sha256)');
  return body.bytes;
}

async function readAnnounced(response: Response, announced: number) {
  const bytes = new Uint8Array(announced);
  let size = 0;
  if (response.status !== 200) {
    await response.body?.cancel();
    return { bytes, size };
  }
  for await (const chunk of response.body ?? []) {
    if (size + chunk.length > announced) return { bytes, size: announced + 1 };
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return { bytes, size };
}
