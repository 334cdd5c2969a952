import { HttpError } from '@/lib/errors/problem';
import { displayFileName } from '@/lib/http/file-name';
import { readMultipart } from '@/lib/http/multipart';
import { spool } from '@/lib/storage/spool';
import { addFont } from './project-fonts';
import { readFont } from './read-font';
import { requirePrintable } from './require-printable';
import { MAX_FONT_BYTES, type ProjectFont } from './schema';

/**
 * Adds an uploaded font to a project: a WOFF2, TTF or OTF file of at most 2 MB. Throws `invalid_font`,
 * `invalid_multipart`, `too_large`, `too_slow`, `state_conflict`, `project_closed`, `unavailable`, or `invalid_request`
 * if the file is missing. After `unavailable`, the font may have been stored. After any other error, it is not stored.
 */
export async function uploadFont(
  request: Request,
  target: { projectId: string; userId: string },
): Promise<ProjectFont> {
  const { file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_FONT_BYTES + 64 * 1024,
    onFile: async (stream, { fileName }) => {
      const { handle, sizeBytes } = await spool(stream, MAX_FONT_BYTES);
      try {
        const { buffer: bytes } = await handle.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0);
        return { fileName, bytes };
      } finally {
        await handle.close();
      }
    },
  });
  if (!file) {
    throw new HttpError('invalid_request', 'file is missing.', {
      errors: [{ path: 'file', message: 'is missing' }],
    });
  }
  const style = await readFont(file.bytes);
  await requirePrintable(file.bytes, target.userId);
  return addFont(target, style, { fileName: displayFileName(file.fileName, 'font'), bytes: file.bytes });
}
