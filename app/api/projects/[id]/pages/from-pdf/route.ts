import { methods, route } from '@/lib/http/route';
import { inDocumentThread } from '@/app/in-document-thread';
import { HttpError } from '@/lib/errors/problem';
import { documentParams, MAX_PDF_BYTES, openedDocument, pdfForm } from '@/lib/export/schema';
import { findImages } from '@/lib/export/snapshot';
import type { Bytes } from '@/lib/http/join-bytes';
import { readMultipart } from '@/lib/http/multipart';
import { copyImages } from '@/lib/projects/copy-images';
import { readAttachment } from '@/lib/specs/pdf/read-attachment';
import { spool } from '@/lib/storage/spool';

/** Maximum number of images that are copied into the project for one PDF. */
const MAX_COPIES = 100;

/**
 * Returns the JSON of the document that is embedded in an uploaded PDF. Throws `invalid_request`, `invalid_pdf`,
 * `too_large`, `too_slow`, `invalid_multipart` or `unavailable`.
 */
async function readUpload(request: Request): Promise<Bytes> {
  const { file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_PDF_BYTES + 64 * 1024,
    onFile: async (stream) => {
      const { handle } = await spool(stream, MAX_PDF_BYTES);
      try {
        return await readAttachment(handle.fd);
      } finally {
        await handle.close();
      }
    },
  });
  if (file) return file;
  const errors = [{ path: 'file', message: 'is missing' }];
  throw new HttpError('invalid_request', 'file is missing.', { errors });
}

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'editor',
    project: ({ params }) => ({ projectId: params.id }),
    summary: 'Reads the editable document of an exported PDF, and copies its images into the project.',
    docs: { codes: ['invalid_pdf', 'invalid_json'] },
    rate: 'costly',
    params: documentParams,
    form: pdfForm,
    status: 200,
    response: openedDocument,
    handle: async ({ caller, projectId, request, memory }) => {
      const { userId } = caller;
      const json = await readUpload(request);
      memory.take(json.byteLength);
      const { imageKeys } = await inDocumentThread('parseEmbedded', { json }, userId);
      const own = await findImages(projectId, imageKeys);
      const images = new Map<string, string | null>(own.map(({ key }) => [key, null]));
      const others = imageKeys.filter((key) => !images.has(key)).slice(0, MAX_COPIES);
      const copied = await copyImages(caller, projectId, others);
      for (const { key, newKey } of copied.images) images.set(key, newKey);
      return inDocumentThread('openEmbedded', { json, images }, userId);
    },
  }),
});
