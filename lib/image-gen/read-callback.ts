import type { z } from 'zod';
import { imagePathOf } from '@/lib/storage/keys';
import { type Fields, fieldsOf, objectIn, readCallback, readProgress } from '@/lib/workflow/read-callback';
import { imageRuns } from './image-runs';

/** An output as it was read from a callback, whose `path` is null if it has none. `checkOutputs` checks the rest. */
export type ReportedOutput = {
  variant_id?: string;
  path: string | null;
  thumb_path?: string;
  meta?: Record<string, z.core.util.JSONType>;
};
type Report = { job_id: string; output_paths: ReportedOutput[]; notes: string[] };
/** The result of a run. `notes` says what was left out, cut or changed. */
export type ImageResult = Report & { status: 'succeeded' | 'failed'; error?: string };
/** A progress report on a run that has not finished, with its outputs so far. */
export type ImageProgressReport = Report & {
  status: 'running';
  progress?: number;
  note?: string;
  execution?: string;
};

const outputFields = ['variant_id', 'path', 'thumb_path', 'meta'];

/** Reads the outputs of a report. An output can be an object or its path. */
function readOutputs(fields: Fields): ReportedOutput[] {
  return fields.list('output_paths').map((item, index) => {
    const where = `Image ${index + 1}: `;
    const output = fieldsOf(objectIn(item) ?? { path: item }, outputFields, fields.note, where);
    const [path, variant_id, thumbPath] = [
      output.text('path'),
      output.text('variant_id'),
      output.text('thumb_path'),
    ];
    return {
      variant_id,
      path: path === undefined ? null : imagePathOf(path),
      thumb_path: thumbPath && imagePathOf(thumbPath),
      meta: output.object('meta'),
    };
  });
}

/**
 * Reads the body of `POST /api/image-gen/callback`. Accepts more forms than `imageCallbackBody` documents. Throws
 * `invalid_request` if the id or the status is unclear.
 */
export function readImageCallback(
  json: unknown,
  { job_id: urlId }: { job_id?: string },
): ImageResult | ImageProgressReport {
  const kind = { source: 'image', success: 'succeeded', known: imageRuns.callbackFields, urlId } as const;
  const { id, status, fields, notes } = readCallback(kind, json);
  const output_paths = status === 'failed' ? [] : readOutputs(fields);
  if (status === 'running') {
    const progress = readProgress(fields);
    return { job_id: id, status, ...progress, output_paths, notes: notes() };
  }
  const error = fields.error();
  return { job_id: id, status, output_paths, error, notes: notes() };
}
