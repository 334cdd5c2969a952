import { z } from 'zod';
import { viewWidths } from '@/lib/document/image-views';
import { documentMasters, MAX_MASTER_IMAGES } from '@/lib/document/masters';
import {
  contentsSettings,
  coverSettings,
  documentPages,
  imageKeyText,
  MAX_DOCUMENT_PAGES,
  MAX_IMAGES,
  pageData,
} from '@/lib/document/page-model';
import {
  bleed,
  customSize,
  type ExportOptions,
  exportOptions,
  exportQuality,
  exportWarning,
  fileNamePattern,
  languageTag,
  orientation,
  pageFormat,
  pageRange,
  projectDocument,
  sheetOptionsOf,
} from '@/lib/document/schema';
import { documentColors, documentStyles } from '@/lib/document/styles/named-styles';
import { optionalFlagParam } from '@/lib/http/flag-param';
import { cursorParam, limitParam } from '@/lib/http/page';
import { text } from '@/lib/http/text';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

/** Lifetime of a finished PDF's URL in seconds. */
export const DOWNLOAD_URL_S = 15 * 60;

export const documentParams = z.object({ id: uuid });
/** Selects a document of the project. Defaults to the main document. */
export const documentQuery = z.object({ documentId: uuid.optional() });

/**
 * The version of a document, and the user who saved that version. The version is 0 if the document is not stored. The
 * user is null in that case, or if the account no longer exists.
 */
export const documentVersionResponse = z.object({ version: z.int().min(0), savedBy: uuid.nullable() });
export type DocumentVersion = z.infer<typeof documentVersionResponse>;

/** Maximum number of a document's named versions. The database enforces it. */
export const MAX_NAMED_VERSIONS = 50;
/** Maximum total size of a document's named versions, in bytes. The database enforces it. */
export const MAX_NAMED_BYTES = 64 * 1024 * 1024;
const versionName = text({ max: 100 });
/** A kept version of a document, and how it differs from the previous kept version. */
export const keptVersion = z.object({
  id: uuid,
  version: z.int(),
  name: z.string().nullable(),
  /** Whether an export printed this version. */
  printed: z.boolean(),
  savedBy: uuid.nullable(),
  createdAt: time,
  pageCount: z.int(),
  /** How many pages were added, removed and changed, and whether settings changed; null for the oldest kept version. */
  changes: z.object({ added: z.int(), removed: z.int(), changed: z.int(), settings: z.boolean() }).nullable(),
});
export type KeptVersion = z.infer<typeof keptVersion>;
export const versionParams = z.object({ id: uuid, versionId: uuid });
export const listVersionsQuery = documentQuery.extend({ limit: limitParam, cursor: cursorParam });
export const documentVersionsResponse = z.object({
  versions: z.array(keptVersion),
  nextCursor: z.string().nullable(),
});
/** Body of a request to keep the current version. The request fails unless `version` is the current version. */
export const keepVersionBody = z.object({ version: z.int().min(1), name: versionName.nullish() });
export const keptResponse = z.object({ id: uuid });
/** Body of a request to name a version; null removes its name. */
export const nameVersionBody = z.object({ name: versionName.nullable() });
/**
 * Body of a request to restore a kept version, or some of its pages. The request fails unless `version` is the current
 * version.
 */
export const restoreVersionBody = z.object({
  version: z.int().min(1),
  /** The ids of the pages to restore; null for the whole document. */
  pageIds: z.array(pageData.shape.id).min(1, 'must not be empty').max(MAX_DOCUMENT_PAGES).nullish(),
});

/** The keys (see `imageKey`) of the images that an editor shows. The response leaves out images of other projects. */
export const documentImagesBody = z.object({
  keys: z.array(imageKeyText).max(MAX_IMAGES + MAX_MASTER_IMAGES),
});
/** An image's key (see `imageKey`), and the maximum width of the returned image in pixels. */
export const imageViewQuery = z.object({
  key: imageKeyText,
  width: z
    .enum(viewWidths.map(String), `must be one of ${viewWidths.join(', ')}`)
    .transform((width) => viewWidths.find((allowed) => String(allowed) === width) ?? viewWidths[0]),
});
export const documentImagesResponse = z.object({
  images: z.array(z.object({ key: z.string(), url: z.string(), width: z.int(), height: z.int() })),
});

/** The options that the caller chose; `printOptions` fills in the others. */
export const exportChoices = z.object({
  format: pageFormat.optional(),
  orientation: orientation.optional(),
  customSize: customSize.unwrap().optional(),
  includecover: z.boolean().optional(),
  includeToc: z.boolean().optional(),
  quality: exportQuality.optional(),
  pages: pageRange.nullish(),
  bleed: bleed.optional(),
  cropMarks: z.boolean().optional(),
  pureBlack: z.boolean().optional(),
  pdfA: z.boolean().optional(),
  embedDocument: z.boolean().optional().meta({
    description:
      'Embeds the printed pages, so the PDF can be opened for editing. They contain the prompts and seeds of their images. False unless it is set.',
  }),
  fileName: fileNamePattern.nullish(),
});

/**
 * Returns the complete options of an export: the caller's choices, with the document's own settings as defaults.
 * `document.version` is undefined if it is unknown.
 */
export function printOptions(
  choices: z.output<typeof exportChoices>,
  document: Parameters<typeof sheetOptionsOf>[0] & { version?: number },
): ExportOptions {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return exportOptions.parse({
    ...sheetOptionsOf(document),
    documentVersion: document.version,
    ...Object.fromEntries(given),
  });
}

/** Body of `PUT /api/projects/{id}/pages`. */
export const savedDocument = z
  .object(projectDocument.shape)
  .describe(
    'A setting that is left out keeps its value, which is the one that GET returns even if nothing is stored yet. Its default applies if it is null.',
  );

/**
 * Body of `POST /api/export/pdf`. Accepts a document exactly as the API returns it. Fields that are left out default to
 * those of the stored document.
 */
export const exportBody = z.object({
  projectId: uuid,
  /** The document that the pages belong to. Defaults to the main document. */
  documentId: uuid.optional(),
  pages: documentPages.min(1, 'must have at least one page'),
  options: exportChoices.prefault({}),
  format: pageFormat.optional(),
  orientation: orientation.optional(),
  customSize: customSize.unwrap().optional(),
  margin: savedDocument.shape.margin.unwrap().optional(),
  language: languageTag.optional(),
  includecover: z.boolean().nullable().optional(),
  includeToc: z.boolean().optional(),
  cover: coverSettings.optional(),
  contents: contentsSettings.optional(),
  masters: documentMasters.unwrap().optional(),
  styles: documentStyles.unwrap().optional(),
  colors: documentColors.unwrap().optional(),
  version: savedDocument.shape.version.optional(),
});
export type ExportPayload = z.input<typeof exportBody>;
/** Maximum size in bytes of a PDF to read a document from. */
export const MAX_PDF_BYTES = 200 * 1024 * 1024;
export const pdfForm = z.object({ file: z.file() });
/** A document that was read from a PDF, and a message for each frame whose image is not available. */
export const openedDocument = z.object({
  document: projectDocument.omit({ version: true }),
  notices: z.array(z.string()),
});
export type OpenedDocument = z.output<typeof openedDocument>;

export const exportStartedResponse = z.object({ jobId: uuid, status: z.literal('processing') });

/** Path parameters of `GET /api/export/render/{projectId}`. */
export const renderParams = z.object({ projectId: uuid });
/**
 * Query of `GET /api/export/render/{projectId}`. The fields below default to the document's settings, as in an export.
 */
export const renderQuery = documentQuery.extend({
  format: pageFormat.optional(),
  orientation: orientation.optional(),
  includecover: optionalFlagParam,
  includeToc: optionalFlagParam,
});

const ranges = z.array(z.tuple([z.int(), z.int()]));
/** The characters that exports can print; see `PrintedCharacters`. */
export const printedCharactersResponse = z.object({ all: ranges, named: ranges });

export const exportStatuses = ['processing', 'completed', 'failed', 'canceled'] as const;
export const exportStatus = z.enum(exportStatuses);
export type ExportStatus = z.infer<typeof exportStatus>;

export const exportJob = z.object({
  jobId: uuid,
  projectId: uuid,
  documentId: uuid.optional(),
  status: exportStatus,
  options: exportOptions,
  downloadUrl: z.string().nullable(),
  pageCount: z.int().nullable(),
  pagesDone: z.int(),
  /** The number of images that are ready to print. */
  imagesDone: z.int(),
  /** The number of images to print; 0 until it is known. */
  imagesTotal: z.int(),
  bytes: z.int().nullable(),
  warnings: z.array(exportWarning),
  error: z.string().nullable(),
  /**
   * The kept version that was printed. Null if the printed document differed from the stored one, or if the version was
   * removed.
   */
  versionId: uuid.nullable().optional(),
  createdAt: time,
  finishedAt: time.nullable(),
});
export type ExportJob = z.infer<typeof exportJob>;
export const exportJobParams = z.object({ jobId: uuid });
export const listExportsQuery = z.object({
  projectId: uuid,
  /** Lists only the exports of this document. */
  documentId: uuid.optional(),
  limit: limitParam,
  cursor: cursorParam,
});
export type ListExportsQuery = z.output<typeof listExportsQuery>;
export const exportsResponse = z.object({ jobs: z.array(exportJob), nextCursor: z.string().nullable() });

/** Returns the member `key` of a value of any type, or undefined if the value has no such member. */
function memberOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}
function named(value: unknown, ...keys: string[]): string {
  const name = keys.map((key) => memberOf(value, key)).find((found) => typeof found === 'string' && found);
  return typeof name === 'string' && name.length <= 200 ? ` “${name}”` : '';
}

/**
 * Describes the page or master that an error path points to, and the element if the path points into one. Returns '' if
 * the path points to neither a page nor a master.
 */
export function describePathInDocument(body: unknown, path: PropertyKey[]): string {
  const [field, pageIndex, inner, elementIndex] = path;
  if ((field !== 'pages' && field !== 'masters') || typeof pageIndex !== 'number') return '';
  const page = memberOf(memberOf(body, field), pageIndex);
  const described = (text: string, rest: PropertyKey[]) =>
    rest.length > 0 ? `${text}, ${rest.map(String).join('.').slice(0, 100)}` : text;
  const pageLabel = `${field === 'pages' ? 'Page' : 'Master'} ${pageIndex + 1}${named(page, 'title', 'id')}`;
  if (inner !== 'elements' || typeof elementIndex !== 'number') return described(pageLabel, path.slice(2));
  const element = memberOf(memberOf(page, 'elements'), elementIndex);
  const type = memberOf(element, 'type');
  const kind = typeof type === 'string' ? type.slice(0, 20) : 'element';
  return described(`${pageLabel}, ${kind} ${elementIndex + 1}${named(element, 'name', 'id')}`, path.slice(4));
}
