import { z } from 'zod';
import { EMBEDDED_NAME } from '@/lib/document/embedded-name';
import { MAX_MASTER_IMAGES } from '@/lib/document/masters';
import { imageKey, imagesOf, MAX_IMAGES } from '@/lib/document/page-model';
import { pagesInRange } from '@/lib/document/page-range';
import { type ExportOptions, projectDocument } from '@/lib/document/schema';
import { hasFlow, standalonePage } from '@/lib/document/table-flow';
import { uuid } from '@/lib/http/uuid';
import type { Attachment } from '@/lib/pdf/splice/attachment';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Snapshot } from './snapshot';

/** Increase this when the format changes so much that documents embedded earlier no longer parse. */
const FORM = 1;

const embeddedImage = z.object({
  key: z.string().max(500),
  width: z.number(),
  height: z.number(),
  /** The prompt of a generated image; null for any other image. */
  prompt: z.string().max(4000).nullable().catch(null),
  /** The seed of a generated image; null for any other image, or if the workflow service did not report a seed. */
  seed: z.string().max(100).nullable().catch(null),
});
/** The editable document in a PDF: its pages, masters, cover and settings, and its images' keys, prompts and seeds. */
export const embeddedDocument = projectDocument.omit({ version: true }).extend({
  atelier: z.literal(FORM, 'must be 1; a newer version of Atelier may have written this PDF'),
  /** The project that the images belong to. */
  projectId: uuid,
  images: z
    .array(embeddedImage)
    .max(MAX_IMAGES + MAX_MASTER_IMAGES)
    .catch([]),
});
export type EmbeddedDocument = z.output<typeof embeddedDocument>;

/**
 * Returns the parts of a document to embed, and the numbers of the embedded pages. With a page range, the parts are the
 * pages in the range, the cover if it is printed, and every master that these pages, the cover or the contents use.
 * Without a page range, the parts are the whole document.
 */
export function embeddedParts(
  {
    pages,
    masters,
    cover,
    contents,
    includecover,
  }: Pick<Snapshot, 'pages' | 'masters' | 'cover' | 'contents' | 'includecover'>,
  options: Pick<ExportOptions, 'pages' | 'includecover'>,
) {
  const numbers = pagesInRange(options.pages, pages.length);
  const selected = pages.filter((_, index) => numbers.has(index + 1));
  if (options.pages === null) return { numbers, pages: selected, masters, front: { cover, includecover } };
  const used = new Set([...selected, cover, contents].map(({ masterId }) => masterId));
  return {
    numbers,
    pages: selected,
    masters: masters.filter(({ id }) => used.has(id)),
    front: options.includecover ? { cover, includecover } : { cover: undefined, includecover: false },
  };
}

/**
 * Returns the file to embed in a PDF: the parts of the document that the export's page range selects, with the prompts
 * and seeds of their images. Returns null if the options do not ask for the file, or if they ask for PDF/A, which does
 * not allow such a file. `pageTexts` are the pages as JSON.
 */
export async function embedDocument(
  projectId: string,
  { images, projectName, ...document }: Snapshot,
  pageTexts: string[],
  options: ExportOptions,
): Promise<Attachment | null> {
  if (!options.embedDocument || options.pdfA) return null;
  const { pages, masters, cover, includecover, ...settings } = document;
  const parts = embeddedParts({ pages, masters, cover, contents: settings.contents, includecover }, options);
  const uses = imagesOf([...parts.masters, ...parts.pages]).map(({ key }) => key);
  const keys = new Set([parts.front.cover && imageKey(parts.front.cover), ...uses]);
  const files = images.filter(({ key }) => keys.has(key));
  const paths = files.map(({ path }) => path);
  const origins = dataOf(await adminDb().rpc('image_origins', { p_project: projectId, p_paths: paths }));
  const originOf = new Map(origins.map(({ path, prompt, seed }) => [path, { prompt, seed }]));
  const head = {
    atelier: FORM,
    projectId,
    projectName,
    ...settings,
    ...parts.front,
    masters: parts.masters,
    images: files.map(({ key, path, width, height }) => {
      const { prompt = null, seed = null } = originOf.get(path) ?? {};
      return { key, width, height, prompt, seed };
    }),
  };
  // With a page range, a table can be connected to tables on pages that are not embedded. Replace it with an ordinary
  // table that holds the rows shown on its page.
  const isPartial = options.pages !== null;
  const texts = pages.flatMap((page, index) => {
    if (!parts.numbers.has(index + 1)) return [];
    return isPartial && hasFlow(page)
      ? [JSON.stringify(standalonePage(page, pages))]
      : [pageTexts[index] ?? ''];
  });
  const json = `${JSON.stringify(head).slice(0, -1)},"pages":[${texts.join(',')}]}`;
  const description = 'The editable document of this PDF, for Atelier';
  return { name: EMBEDDED_NAME, description, json: new TextEncoder().encode(json) };
}
