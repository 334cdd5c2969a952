import { inDocumentThread } from '@/app/in-document-thread';
import { HttpError } from '@/lib/errors/problem';
import { adoptImages } from '@/lib/export/adopt-images';
import { documentParams, MAX_PDF_BYTES, openedDocument, pdfForm } from '@/lib/export/schema';
import type { Bytes } from '@/lib/http/join-bytes';
import { readMultipart } from '@/lib/http/multipart';
import { methods, route } from '@/lib/http/route';
import { MAX_IMAGE_BYTES } from '@/lib/projects/schema';
import { storeCopy } from '@/lib/projects/store-copy';
import { readAttachment } from '@/lib/specs/pdf/read-attachment';
import { spool } from '@/lib/storage/spool';

/** Returns the JSON of the document in an uploaded PDF. Throws `invalid_pdf`, `too_large` or `invalid_multipart`. */
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
    docs: { codes: ['invalid_pdf'] },
    rate: 'costly',
    params: documentParams,
    form: pdfForm,
    status: 200,
    response: openedDocument,
    handle: async ({ caller, projectId, request, held }) => {
      const { userId } = caller;
      const json = await readUpload(request);
      held.take(json.byteLength);
      const { projectId: from, imageKeys } = await inDocumentThread('parseEmbedded', { json }, userId);
      const store = (bytes: Uint8Array) => storeCopy({ projectId, userId, bytes, fileName: 'From a PDF' });
      const images = await adoptImages(
        caller,
        { projectId, from, keys: imageKeys },
        { maxBytes: MAX_IMAGE_BYTES, store },
      );
      return inDocumentThread('openEmbedded', { json, images }, userId);
    },
  }),
});
