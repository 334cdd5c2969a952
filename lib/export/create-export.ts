import { createHash } from 'node:crypto';
import { z } from 'zod';
import { imageKey } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { uuid } from '@/lib/http/uuid';
import { adminTransfers } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { sendingJson } from '@/lib/supabase/json-bytes';
import type { Db } from '@/lib/supabase/request';
import { jsonWith } from './packed-document';
import type { ParsedExport } from './parse-body';
import { printOptions } from './schema';
import { findImages, projectName, requireImages } from './snapshot';

/** Increase this when documents are rendered differently, so that earlier files are not reused. */
const RENDER_VERSION = 4;

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), job_id: uuid }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);
type Args = Database['public']['Functions']['create_export_job']['Args'];

const settings = projectDocument.pick({ format: true, orientation: true, language: true, cover: true });

/** Returns the settings of the stored document, or the defaults if this user can see none. */
async function storedSettings(db: Db, projectId: string): Promise<z.output<typeof settings>> {
  const rows = await db
    .from('project_pages')
    .select('format,orientation,language,cover')
    .eq('project_id', projectId)
    .limit(1);
  return settings.parse(dataOf(rows)[0] ?? {});
}

/**
 * Starts an export of the given pages; later saves do not change it. `fonts` are those of the project: with other
 * fonts, an earlier file is not reused. The work item is written in the same transaction.
 * Throws `invalid_request` for images that the project does not have, `not_found`, `too_large` or
 * `idempotency_mismatch`.
 */
export async function createExport(
  db: Db,
  { projectId, options: choices, pages, pagesSha256, imageLocations, ...given }: ParsedExport,
  userId: string,
  idempotency: { key: string; bodySha256: string } | null,
  fonts: { id: string }[],
): Promise<{ jobId: string; status: 'processing' }> {
  const [stored, name] = await Promise.all([storedSettings(db, projectId), projectName(db, projectId)]);
  const {
    format = stored.format,
    orientation = stored.orientation,
    language = stored.language,
    cover = stored.cover,
  } = given;
  const keys = [imageKey(cover), ...imageLocations.map(({ key }) => key)].filter((key) => key !== null);
  const images = await findImages(projectId, [...new Set(keys)]);
  const rest = { format, orientation, language, cover, projectName: name, images };
  const options = printOptions(choices, rest);
  requireImages(rest, imageLocations, options);
  const input = JSON.stringify([RENDER_VERSION, options, rest, pagesSha256, ...fonts.map(({ id }) => id)]);
  const args: Omit<Args, 'p_snapshot'> = {
    p_user: userId,
    p_project: projectId,
    p_options: options,
    p_input_sha256: createHash('sha256').update(input).digest('hex'),
    p_idempotency_key: idempotency?.key,
    p_request_sha256: idempotency?.bodySha256,
  };
  const through = sendingJson(jsonWith(args, 'p_snapshot', jsonWith(rest, 'pages', pages)));
  const transfers = adminTransfers({ through });
  const result = accepted(
    await callRpc('create_export_job', { ...args, p_snapshot: null }, outcome, transfers),
  );
  return { jobId: result.job_id, status: 'processing' };
}
