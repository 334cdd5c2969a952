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
 * Tasks with whole documents that run in a thread (see `inDocumentThread`). Bodies and responses are passed as bytes, so
 * that no other thread parses them. Access has already been checked.
 */
export const documentTasks = {
  /** The response of `GET /api/projects/{id}/pages`. */
  readDocument: async ({ token, projectId }: { token: string; projectId: string }) =>
    json(await getDocument(userDb(token), projectId)),

  /** Saves the document of a body; the response of `PUT /api/projects/{id}/pages`. */
  saveDocument: async ({ body, projectId, userId }: { body: Bytes; projectId: string; userId: string }) =>
    json(await saveDocument(projectId, parseDocumentBody(savedDocument, body), userId)),

  /** Validates the whole body of an export and returns its project. */
  readExport: ({ body }: { body: Bytes }) => ({
    projectId: parseDocumentBody(exportBody, body).projectId,
    body,
  }),

  /** Starts the export in a body. */
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

  /** The input of an export, with each page as JSON, so that pages can be parsed one at a time. */
  readSnapshot: async ({ jobId }: { jobId: string }) => {
    const { pages, ...rest } = await readSnapshot(jobId);
    return { rest, pages: pages.map((page) => JSON.stringify(page)) };
  },

  documentHtml,

  /** Warnings for characters that no font of the printer has. */
  missingGlyphs: async ({ sheets }: { sheets: Sheet[] }) =>
    missingGlyphs(sheets, await printedCharacters(serverEnv().ATELIER_DATA_DIR)),
};
export type DocumentTasks = typeof documentTasks;
