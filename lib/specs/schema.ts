import { z } from 'zod';
import { dayParam } from '@/lib/http/day';
import { cursorParam, limitParam, numberCursor } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { progressReport, reportedError } from '@/lib/workflow/callback-schema';
import { retrying } from '@/lib/workflow/schema';
import { MAX_SECTIONS } from './pdf/text-limits';
import { reportedSection, TOO_MANY_SECTIONS } from './sections/schema';

/** OpenAPI description of `isProtected`, and of `is_protected` in the trigger. */
export const PROTECTED =
  'The PDF is encrypted: it opens without a password but may restrict printing or editing.';

export const specStatuses = ['pending', 'processing', 'completed', 'failed'] as const;
export const specStatus = z.enum(specStatuses);
export type SpecStatus = z.infer<typeof specStatus>;

const ON_DUPLICATE =
  'By default, a file that was already uploaded for the same brand, area and property gets the error `duplicate_file` with its `specUploadId`, also if a newer version has replaced it. With `keep`, it is uploaded again.';
const REPLACES =
  'The spec that this file replaces as its next version. It must be current and have the same brand, area and property.';

/** The text parts of `POST /api/admin/specs/upload`; the `file` part is read as a stream. */
export const uploadFields = z.object({
  brandName: text({ max: 120 }),
  area: text({ max: 120 }),
  propertyName: z
    .string()
    .transform((value) => (value.trim() === '' ? undefined : value))
    .pipe(text({ max: 120 }).optional())
    .optional()
    .meta({ json: { type: 'string', maxLength: 120 } }),
  onDuplicate: z.enum(['refuse', 'keep']).optional().default('refuse').meta({ description: ON_DUPLICATE }),
  /**
   * The spec that this file replaces as its next version. The spec must be current and must have the same brand, area
   * and property.
   */
  replaces: z
    .string()
    .transform((value) => value || undefined)
    .pipe(uuid.optional())
    .optional()
    .meta({ json: { type: 'string', format: 'uuid', description: REPLACES } }),
});
export type UploadFields = z.infer<typeof uploadFields>;

/** The complete upload form, with the file, for the OpenAPI document. */
export const uploadForm = z.object({ file: z.file(), ...uploadFields.shape });

export const uploadResponse = z.object({
  specUploadId: uuid,
  documentId: uuid,
  status: z.literal('pending'),
});
export type UploadResponse = z.infer<typeof uploadResponse>;

/** Body of `POST /api/admin/specs/retry`. */
export const retryBody = z.object({ specUploadId: uuid });
export const retryResponse = z.object({ specUploadId: uuid, status: z.literal('pending') });

/** The maximum number of specs per call. */
export const MAX_SPECS_AT_ONCE = 500;

/** Body of `POST /api/admin/specs/stop`. */
export const stopBody = z.object({ specUploadId: uuid });
export const stopResponse = z.object({ specUploadId: uuid, status: z.literal('failed') });

const manyIds = z.array(uuid).min(1).max(MAX_SPECS_AT_ONCE, `must have at most ${MAX_SPECS_AT_ONCE} ids`);

const SEARCH =
  'Words that the file name, brand, area, property, error and text of the PDF have together, in any order. The last word can be incomplete. Case, accents and punctuation are ignored.';

export const versionFilters = ['current', 'all'] as const;
export const versionFilter = z.enum(versionFilters);

/** The filters for lists of specs, except the status. */
const specFilters = z.object({
  brand: z.string().max(200).optional(),
  area: z.string().max(200).optional(),
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ json: { type: 'string', maxLength: 200, description: SEARCH } }),
  from: dayParam.optional(),
  to: dayParam.optional(),
  versions: versionFilter.optional().meta({
    json: { enum: versionFilters, description: 'By default, only current versions are listed.' },
  }),
});
export type SpecFilters = z.infer<typeof specFilters>;

/** Body of `POST /api/admin/specs/batch/retry`: the specs to retry, or filters for the failed specs to retry. */
export const retryManyBody = z
  .object({ specUploadIds: manyIds.optional(), failed: specFilters.optional(), cursor: cursorParam })
  .refine(
    ({ specUploadIds, failed }) => (specUploadIds === undefined) !== (failed === undefined),
    'must have either specUploadIds or failed',
  );
export type RetryMany = z.infer<typeof retryManyBody>;

export const retriedManyResponse = z.object({
  retried: z.int(),
  /** Number of specs that do not exist or have not failed. */
  skipped: z.int(),
  /** The `cursor` for the next call with `failed`; null when all matching specs have been visited. */
  nextCursor: z.string().nullable(),
});
export type RetriedMany = z.infer<typeof retriedManyResponse>;

/** Body of `POST /api/admin/specs/batch/delete`. */
export const deleteManyBody = z.object({ specUploadIds: manyIds });
export const deletedManyResponse = z.object({ deleted: z.int(), missing: z.int() });
export type DeletedMany = z.infer<typeof deletedManyResponse>;

/** Body of `POST /api/admin/specs/batch/edit`. Absent fields leave the specs unchanged. */
export const editManyBody = z
  .object({
    specUploadIds: manyIds,
    brandName: text({ max: 120 }).optional(),
    area: text({ max: 120 }).optional(),
    propertyName: text({ max: 120 }).optional(),
    clearProperty: z.boolean().optional(),
  })
  .refine(
    ({ brandName, area, propertyName, clearProperty }) => brandName || area || propertyName || clearProperty,
    'must have a change: brandName, area, propertyName or clearProperty',
  )
  .refine(
    ({ propertyName, clearProperty }) => !(propertyName && clearProperty),
    'must not have both propertyName and clearProperty',
  );
export type EditMany = z.infer<typeof editManyBody>;
export const editedManyResponse = z.object({ edited: z.int(), missing: z.int() });
export type EditedMany = z.infer<typeof editedManyResponse>;

/** The maximum total size of the specs in one download, in bytes (2 GiB). */
export const MAX_DOWNLOAD_BYTES = 2 * 1024 * 1024 * 1024;

/** Body of `POST /api/admin/specs/batch/downloads`. */
export const downloadManyBody = z.object({ specUploadIds: manyIds });
export const specDownloadResponse = z.object({ downloadId: uuid });
export const specDownloadParams = z.object({ downloadId: uuid });
export const specsZip = z.instanceof(ReadableStream<Uint8Array>);

/** The maximum number of files per call. */
export const MAX_MATCHED_FILES = 100;

/** Body of `POST /api/admin/specs/matches`: describes files that are about to be uploaded. */
export const matchBody = z.object({
  files: z
    .array(
      z.object({
        fileName: z.string().min(1).max(255),
        brandName: z.string().min(1).max(200),
        area: z.string().min(1).max(200),
        propertyName: z.string().max(200).optional(),
      }),
    )
    .min(1)
    .max(MAX_MATCHED_FILES),
});
export type FileToMatch = z.infer<typeof matchBody>['files'][number];

/** A current spec that a file is probably a newer version of. */
export const specMatchingFile = z.object({ specUploadId: uuid, fileName: z.string(), version: z.int() });
export type SpecMatchingFile = z.infer<typeof specMatchingFile>;
/** For each file, the spec that it probably replaces, or null. */
export const matchResponse = z.object({ matches: z.array(specMatchingFile.nullable()) });

const resultBody = z.object({
  spec_upload_id: uuid,
  status: z.enum(['completed', 'failed']),
  sections_count: z.number().optional(),
  /**
   * The sections in order. If the run is completed, they replace the sections from the PDF's outline or from earlier
   * runs. They do not replace corrected sections.
   */
  sections: z.array(reportedSection).max(MAX_SECTIONS, TOO_MANY_SECTIONS).optional(),
  error: reportedError.optional(),
});

const progressBody = z.object({ spec_upload_id: uuid, ...progressReport });

/**
 * Body of `POST /api/admin/specs/callback` as the workflow service should send it: the result of a run, or a progress
 * report. `readSpecCallback` accepts other forms too.
 */
export const specCallbackBody = z.discriminatedUnion('status', [resultBody, progressBody]);

export const specAttempt = z.object({
  attempt: z.int(),
  status: specStatus,
  error: z.string().nullable(),
  createdAt: time,
  finishedAt: time.nullable(),
});

/**
 * The state of the PDF's text: `none` means that the PDF contains no text, and `failed` that the PDF could not be read.
 */
export const textState = z.enum(['pending', 'done', 'none', 'failed']);
export type TextState = z.infer<typeof textState>;

const MATCH = 'A passage of the PDF with words of the search `q`, if the other fields do not have them all.';

/** A passage that contains search words, and the positions of these words in it. */
export const specMatch = z.object({
  page: z.int(),
  passage: z.string(),
  marks: z.array(z.object({ start: z.int(), end: z.int() })),
});
export type SpecMatch = z.infer<typeof specMatch>;

export const specRetrying = retrying.extend({ reason: z.string() }).nullable();

export const spec = z.object({
  specUploadId: uuid,
  documentId: uuid,
  brandName: z.string(),
  area: z.string(),
  propertyName: z.string().nullable(),
  fileName: z.string(),
  sizeBytes: z.int(),
  sha256: z.string(),
  isProtected: z.boolean().meta({ json: { type: 'boolean', description: PROTECTED } }),
  status: specStatus,
  statusSeq: z.int(),
  sectionsCount: z.int().nullable(),
  error: z.string().nullable(),
  /** From 0 to 1. Never decreases during an attempt. Null if unknown, or after the attempt has finished. */
  progress: z.number().nullable(),
  /** When the progress was reported. */
  progressAt: time.nullable(),
  /** The latest note that the workflow service sent about the current attempt; null after the attempt has finished. */
  note: z.string().nullable(),
  /**
   * The current or next attempt to send the spec to the workflow service, and why the last one failed. Null unless an
   * attempt has failed and the spec is still pending.
   */
  retrying: specRetrying.optional(),
  /** When the workflow service accepted the current attempt. */
  startedAt: time.nullable(),
  deadlineAt: time.nullable(),
  createdBy: uuid.nullable(),
  createdAt: time,
  updatedAt: time,
  /** Signed URL of the PDF, valid for an hour; null if the file is missing. */
  url: z.string().nullable(),
  attempts: z.array(specAttempt),
  /** The text of the PDF can be searched when this is `done`. */
  textState: textState.optional(),
  match: specMatch.optional().meta({ description: MATCH }),
  /** 1 for the first version; higher if this spec replaced another one. */
  version: z.int().optional(),
  /** The current version of the spec; null if this version is current. */
  replacedBy: z.object({ specUploadId: uuid, version: z.int() }).nullable().optional(),
});
export type Spec = z.infer<typeof spec>;

export const specSorts = ['match', 'newest', 'oldest', 'file', 'brand', 'status'] as const;
export const specSort = z.enum(specSorts);
export type SpecSort = z.infer<typeof specSort>;

/** Query of `GET /api/admin/specs`. A cursor is valid only for the sort order that it was returned for. */
export const listSpecsQuery = z.object({
  status: specStatus.optional(),
  ...specFilters.shape,
  sort: specSort.optional().meta({
    json: {
      enum: specSorts,
      description:
        'By time of upload; or by file, brand or status, and newest first within each. `match` lists the best matches of the search `q` first. The default is `match` with a search, and `newest` without one.',
    },
  }),
  cursor: cursorParam,
  limit: limitParam,
});
export type ListSpecsQuery = z.infer<typeof listSpecsQuery>;

export const specCounts = z.object({
  pending: z.int(),
  processing: z.int(),
  completed: z.int(),
  failed: z.int(),
});
export type SpecCounts = z.infer<typeof specCounts>;

export const specsResponse = z.object({
  specs: z.array(spec),
  counts: specCounts,
  /** Whether a count of a search stopped at 1,000. If so, 1,000 means 1,000 or more, and lower counts are exact. */
  countsAreMinimums: z.boolean().optional(),
  nextCursor: z.string().nullable(),
});
export type SpecsResponse = z.infer<typeof specsResponse>;

export const specParams = z.object({ id: uuid });

export const specVersion = z.object({
  specUploadId: uuid,
  version: z.int(),
  isCurrent: z.boolean(),
  fileName: z.string(),
  status: specStatus,
  sectionsCount: z.int().nullable(),
  createdAt: time,
});
export type SpecVersion = z.infer<typeof specVersion>;
/** Query of `GET /api/admin/specs/{id}/versions`. */
export const versionsQuery = z.object({ cursor: numberCursor });
export type VersionsQuery = z.infer<typeof versionsQuery>;
/** Up to 500 versions, newest first. */
export const specVersionsResponse = z.object({
  versions: z.array(specVersion),
  nextCursor: z.string().nullable().optional(),
});
export type SpecVersionsResponse = z.infer<typeof specVersionsResponse>;

/** Query of `GET /api/admin/specs/{id}/changes`. */
export const changesQuery = z.object({
  from: uuid.optional().meta({ description: 'The version to compare with; defaults to the one before.' }),
});

export const textPiece = z.object({ op: z.enum(['same', 'added', 'removed']), text: z.string() });

/** A section or page that differs between two versions. The text before the first section counts as a section. */
export const specChange = z.object({
  kind: z.enum(['added', 'removed', 'changed', 'moved']),
  /** Whether the part was moved. A part that was both moved and changed has the kind `changed`. */
  isMoved: z.boolean(),
  /** The title of a section; null for a page, and for the text before the first section. */
  title: z.string().nullable(),
  /** The title in the older version, if it differs. */
  oldTitle: z.string().nullable(),
  page: z.int().nullable(),
  oldPage: z.int().nullable(),
  /**
   * The changed text with some text around it; null if the texts are too different to compare, or if too many parts
   * have changed.
   */
  pieces: z.array(textPiece).nullable(),
});
export type SpecChange = z.infer<typeof specChange>;

/**
 * The differences between two versions. `reading` means that the text of at least one version has not been read yet.
 * `no_text` means that the versions cannot be compared. A comparison needs either text in both versions or sections in
 * both versions.
 */
export const changesResponse = z.object({
  from: specVersion,
  to: specVersion,
  state: z.enum(['ready', 'reading', 'no_text']),
  basis: z.enum(['sections', 'pages']),
  counts: z.object({
    added: z.int(),
    removed: z.int(),
    changed: z.int(),
    moved: z.int(),
    unchanged: z.int(),
  }),
  /** In the order of the newer version. */
  changes: z.array(specChange),
  /** How many further changes are not listed. */
  more: z.int(),
});
export type ChangesResponse = z.infer<typeof changesResponse>;
