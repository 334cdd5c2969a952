import type { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { createExport } from '@/lib/export/create-export';
import type { Sheet } from '@/lib/export/document/sheets';
import { planSheets } from '@/lib/export/document/sheets';
import { printedCharacters } from '@/lib/export/fonts/print-fonts';
import { webFontFaces } from '@/lib/export/fonts/web-fonts';
import { missingGlyphs } from '@/lib/export/missing-glyphs';
import { parseDocumentBody } from '@/lib/export/parse-body';
import { getDocument } from '@/lib/export/queries';
import { saveDocument } from '@/lib/export/save-document';
import { exportBody, printOptions, type renderQuery, savedDocument } from '@/lib/export/schema';
import { readSnapshot, takeSnapshot } from '@/lib/export/snapshot';
import { viewImages } from '@/lib/export/view-images';
import { userDb } from '@/lib/supabase/request';
import { documentHtml } from './document-html';

type Bytes = Uint8Array<ArrayBuffer>;
const json = (value: unknown): Bytes => new TextEncoder().encode(JSON.stringify(value));

/**
 * What is done with whole documents, in a thread (see `inDocumentThread`). Bodies come and responses go as bytes, so that
 * no other thread takes them apart; who calls has been checked before.
 */
export const documentTasks = {
  /** The response of `GET /api/projects/{id}/pages`. */
  readDocument: async ({ token, projectId }: { token: string; projectId: string }) =>
    json(await getDocument(userDb(token), projectId)),

  /** Saves the document of a body; the response of `PUT /api/projects/{id}/pages`. */
  saveDocument: async ({ body, projectId, userId }: { body: Bytes; projectId: string; userId: string }) =>
    json(await saveDocument(projectId, parseDocumentBody(savedDocument, body), userId)),

  /** The project that the body of an export names; all of the body is checked. */
  readExport: ({ body }: { body: Bytes }) => ({
    projectId: parseDocumentBody(exportBody, body).projectId,
    body,
  }),

  /** Starts the export of a body. */
  createExport: ({
    token,
    body,
    userId,
    idempotency,
  }: {
    token: string;
    body: Bytes;
    userId: string;
    idempotency: { key: string; bodySha256: string } | null;
  }) => createExport(userDb(token), parseDocumentBody(exportBody, body), userId, idempotency),

  /** A project's document as one HTML page with its fonts, and its images from `imageSource`. */
  drawPreview: async ({
    token,
    projectId,
    query,
    imageSource,
  }: {
    token: string;
    projectId: string;
    query: z.output<typeof renderQuery>;
    imageSource: string;
  }) => {
    const document = await takeSnapshot(userDb(token), projectId);
    const title = document.cover.title || document.projectName;
    const plan = planSheets(document, document.projectName, printOptions(query, document));
    const [images, fonts] = await Promise.all([viewImages(document.images), webFontFaces(plan.sheets)]);
    return documentHtml({ plan, title, images, imageSource, fonts });
  },

  /** What an export is made from. Each page is JSON of its own, so that nobody needs to parse all at once. */
  readSnapshot: async ({ jobId }: { jobId: string }) => {
    const { pages, ...rest } = await readSnapshot(jobId);
    return { rest, pages: pages.map((page) => JSON.stringify(page)) };
  },

  documentHtml,

  /** Warnings of the characters that no font of the printer has. */
  missingGlyphs: async ({ sheets }: { sheets: Sheet[] }) =>
    missingGlyphs(sheets, await printedCharacters(serverEnv().ATELIER_DATA_DIR)),
};
export type DocumentTasks = typeof documentTasks;
