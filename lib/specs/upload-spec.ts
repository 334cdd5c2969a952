import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { HttpError, isHttpError } from '@/lib/errors/problem';
import { displayFileName } from '@/lib/http/file-name';
import { readMultipart } from '@/lib/http/multipart';
import { parseInput } from '@/lib/http/parse';
import { uuid } from '@/lib/http/uuid';
import { slug, specPath } from '@/lib/storage/keys';
import { putObject, removeObjects } from '@/lib/storage/objects';
import { readSpooled, type SpooledFile, spool } from '@/lib/storage/spool';
import { callRpc } from '@/lib/supabase/call-rpc';
import { checkPdf } from './pdf-file';
import { type UploadFields, type UploadResponse, uploadFields } from './schema';
import { MAX_SPEC_BYTES } from './size-limit';

type Form = UploadFields & { file: SpooledFile; fileName: string };

async function readForm(request: Request): Promise<Form> {
  const { fields, file } = await readMultipart(request, {
    fileField: 'file',
    maxBytes: MAX_SPEC_BYTES + 64 * 1024,
    onFile: async (stream, { fileName }) => ({ fileName, spooled: await spool(stream, MAX_SPEC_BYTES) }),
    onDiscard: ({ spooled }) => spooled.handle.close(),
  });
  try {
    const parsed = parseInput(uploadFields, fields);
    if (!file) {
      throw new HttpError('invalid_request', 'file is missing.', {
        errors: [{ path: 'file', message: 'is missing' }],
      });
    }
    return { ...parsed, file: file.spooled, fileName: displayFileName(file.fileName, 'spec.pdf') };
  } catch (error) {
    await file?.spooled.handle.close();
    throw error;
  }
}

/**
 * Returns the brand's segment of a storage path. Only a name without ASCII letters and digits needs a query, because
 * its segment is the brand's id. Throws `unknown_brand`.
 */
async function brandSegment(brandName: string): Promise<string> {
  const ascii = slug(brandName);
  if (ascii !== '') return ascii;
  const id = await callRpc('find_brand', { p_name: brandName }, uuid.nullable());
  if (!id) throw unknownBrand(brandName);
  return id;
}

const unknownBrand = (name: string) => new HttpError('unknown_brand', `There is no brand “${name}”.`);

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), spec_upload_id: uuid, document_id: uuid }),
  z.object({ outcome: z.literal('duplicate'), spec_upload_id: uuid }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
  z.object({ outcome: z.literal('unknown_brand') }),
  z.object({ outcome: z.literal('unknown_area') }),
  z.object({ outcome: z.literal('unknown_spec') }),
  z.object({ outcome: z.literal('other_place') }),
  z.object({ outcome: z.literal('replaced'), spec_upload_id: uuid, version: z.int() }),
]);

/** Returns a hash of the whole request, to detect an idempotency key that is reused for a different request. */
function formHash({ brandName, area, propertyName, onDuplicate, replaces, file, fileName }: Form): string {
  const parts = [brandName, area, propertyName ?? null, onDuplicate, fileName, file.sha256];
  if (replaces) parts.push(replaces);
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

type Created = { specUploadId: string; documentId: string };

/**
 * Creates the rows of a spec and of its first run. Returns the ids of the earlier spec if the idempotency key was already
 * used for this request.
 */
async function createRows(
  form: Form,
  stored: { id: string; path: string; isProtected: boolean },
  userId: string,
  idempotencyKey: string | null,
): Promise<Created> {
  const result = await callRpc(
    'create_spec_upload',
    {
      p_user: userId,
      p_id: stored.id,
      p_brand: form.brandName,
      p_area: form.area,
      p_property_name: form.propertyName,
      p_storage_path: stored.path,
      p_file_name: form.fileName,
      p_size_bytes: form.file.sizeBytes,
      p_sha256: form.file.sha256,
      p_is_protected: stored.isProtected,
      p_keep_duplicate: form.onDuplicate === 'keep',
      p_replaces: form.replaces,
      p_idempotency_key: idempotencyKey ?? undefined,
      p_request_sha256: formHash(form),
    },
    outcome,
  );
  switch (result.outcome) {
    case 'created':
      return { specUploadId: result.spec_upload_id, documentId: result.document_id };
    case 'idempotency_mismatch':
      throw new HttpError('idempotency_mismatch');
    case 'unknown_brand':
      throw unknownBrand(form.brandName);
    case 'unknown_area':
      throw new HttpError('unknown_area', `There is no area “${form.area}”.`);
    case 'duplicate':
      throw new HttpError(
        'duplicate_file',
        'This file was already uploaded for this brand, area and property. Use that spec, or send onDuplicate=keep to add the file again.',
        { members: { specUploadId: result.spec_upload_id } },
      );
    case 'replaced':
      throw new HttpError(
        'state_conflict',
        `A newer version already exists: v${result.version}. Replace that version instead.`,
        { members: { specUploadId: result.spec_upload_id } },
      );
    case 'unknown_spec':
      throw wrongReplaces('is not the id of a spec');
    case 'other_place':
      throw wrongReplaces('has another brand, area or property');
  }
}

function wrongReplaces(message: string): HttpError {
  return new HttpError('invalid_request', `replaces ${message}.`, {
    errors: [{ path: 'replaces', message }],
  });
}

async function store(form: Form, userId: string, idempotencyKey: string | null): Promise<UploadResponse> {
  const { isProtected } = await checkPdf(form.file.handle, form.file.sizeBytes);
  const id = randomUUID();
  const path = specPath(await brandSegment(form.brandName), id, form.fileName);
  await putObject(path, readSpooled(form.file), { contentType: 'application/pdf' });
  try {
    const created = await createRows(form, { id, path, isProtected }, userId, idempotencyKey);
    if (created.specUploadId !== id) await removeObjects([path]);
    return { ...created, status: 'pending' };
  } catch (error) {
    // Remove the file only if the upload was refused. After any other error, the rows may have been committed and only the
    // response lost. If no row refers to the file, the sweep removes it.
    if (isHttpError(error) && error.status < 500) await removeObjects([path]);
    throw error;
  }
}

/**
 * Stores a spec PDF. Reads the form as a stream and accepts only a PDF that opens without a password and has a page.
 * Stores the accepted file unchanged, and writes its rows and the workflow trigger in one transaction. Throws
 * `invalid_request`, `invalid_multipart`, `invalid_pdf`, `too_large`, `too_slow`, `unknown_brand`, `unknown_area`,
 * `duplicate_file`, `state_conflict` (if a newer version than `replaces` exists), `idempotency_mismatch` or
 * `unavailable`.
 */
export async function uploadSpec(
  request: Request,
  userId: string,
  idempotencyKey: string | null,
): Promise<UploadResponse> {
  const form = await readForm(request);
  try {
    return await store(form, userId, idempotencyKey);
  } finally {
    await form.file.handle.close();
  }
}
