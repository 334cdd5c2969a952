import { createHash } from 'node:crypto';
import { z } from 'zod';
import { imageKey } from '@/lib/document/page-model';
import { uuid } from '@/lib/http/uuid';
import { adminTransfers } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { sendingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';
import { noDocument } from './document-row';
import { jsonWith } from './packed-document';
import { masterImageKeys, type ParsedExport } from './parse-body';
import { printOptions } from './schema';
import { findImages, projectName } from './snapshot';
import { readSettings } from './stored-settings';

/** Increase this with each change to how documents are rendered, so that files of earlier exports are not reused. */
const RENDER_VERSION = 6;

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), job_id: uuid }),
  z.object({ outcome: z.enum(['idempotency_mismatch', 'not_found']) }),
]);
type Args = Database['public']['Functions']['create_export_job']['Args'];

/**
 * Starts an export of the given pages. Later saves of the document do not affect it. `fonts` are the project's fonts.
 * The file of an earlier export is reused only if the project had the same fonts when that export started. The database
 * writes the work item in the same transaction as the job. Throws `not_found` or `idempotency_mismatch`.
 */
export async function createExport(
  db: Db,
  {
    projectId,
    documentId,
    options: choices,
    pages,
    pagesSha256,
    imageKeys,
    masterIds,
    ...given
  }: ParsedExport,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
  fonts: { id: string }[],
): Promise<{ jobId: string; status: 'processing' }> {
  const [stored, name] = await Promise.all([
    readSettings(db, { projectId, documentId }),
    projectName(db, projectId),
  ]);
  const {
    format = stored.format,
    orientation = stored.orientation,
    customSize = stored.customSize,
    margin = stored.margin,
    language = stored.language,
    includecover = stored.includecover,
    includeToc = stored.includeToc,
    cover = stored.cover,
    contents = stored.contents,
    masters = stored.masters,
    styles = stored.styles,
    colors = stored.colors,
    version = stored.version,
  } = given;
  const keys = [
    imageKey(cover),
    ...masterImageKeys(masters, [...masterIds, cover.masterId, contents.masterId]),
    ...imageKeys,
  ].filter((key) => key !== null);
  const images = await findImages(projectId, [...new Set(keys)]);
  const paper = { format, orientation, customSize, margin };
  const front = { includecover, includeToc, cover, contents };
  const rest = { ...paper, language, ...front, styles, colors, masters, projectName: name, images };
  const options = printOptions(choices, { ...rest, version });
  // Leave the file name and the document's version out of the hash, because they do not change the content of the file.
  const { fileName, documentVersion, ...printed } = options;
  const input = JSON.stringify([RENDER_VERSION, printed, rest, pagesSha256, ...fonts.map(({ id }) => id)]);
  const args: Omit<Args, 'p_snapshot'> = {
    p_user: userId,
    p_project: projectId,
    p_document: documentId,
    p_options: options,
    p_input_sha256: createHash('sha256').update(input).digest('hex'),
    p_idempotency_key: idempotency?.key,
    p_request_sha256: idempotency?.bodySha256,
  };
  const through = sendingJson(jsonWith(args, 'p_snapshot', jsonWith(rest, 'pages', pages)));
  const transfers = adminTransfers({ through });
  const result = accepted(
    await callRpc('create_export_job', { ...args, p_snapshot: null }, outcome, transfers),
    noDocument,
  );
  return { jobId: result.job_id, status: 'processing' };
}
