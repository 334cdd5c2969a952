import type { z } from 'zod';
import type { DocumentImages } from '@/lib/document/page-model';
import type { ProjectFontFile } from '@/lib/document/project-fonts';
import { planSheets, type Sheet } from '@/lib/document/sheets';
import { serverEnv } from '@/lib/env/server';
import { parseEmbedded, withImages } from '@/lib/export/open-embedded';
import type { PackedDocument } from '@/lib/export/packed-document';
import {
  parseExport,
  parseExportProject,
  parseRestored,
  parseSaved,
  parseStored,
} from '@/lib/export/parse-body';
import { printOptions, type renderQuery } from '@/lib/export/schema';
import { parseSnapshot } from '@/lib/export/snapshot';
import type { Bytes } from '@/lib/http/join-bytes';
import { printedCharacters } from '@/lib/pdf/fonts/print-fonts';
import { libraryFontFaces, projectFontFaces, webFontFaces } from '@/lib/pdf/fonts/web-fonts';
import type { RenderHtml } from '@/lib/pdf/make-pdf';
import { type FontCoverage, missingGlyphs } from '@/lib/pdf/missing-glyphs';
import { documentHtml } from './document-html';
import { fontCoverage } from './font-coverage';

/**
 * Slow tasks, most of which process a whole document. They run in separate threads (see `inDocumentThread`). Request
 * bodies and stored documents are passed as bytes, so that no other thread has to parse them. The tasks do not check
 * access.
 */
export const documentTasks = {
  parseStored: ({ rows }: { rows: Bytes }) => parseStored(rows),
  parseSaved: ({ body }: { body: Bytes }) => parseSaved(body),
  parseRestored,
  parseExportProject: ({ body }: { body: Bytes }) => parseExportProject(body),
  parseExport: ({ body }: { body: Bytes }) => parseExport(body),

  parseEmbedded: ({ json }: { json: Bytes }) => parseEmbedded(json),
  openEmbedded: ({ json, images }: { json: Bytes; images: ReadonlyMap<string, string | null> }) =>
    withImages(json, images),

  /** Renders a stored document as one HTML page that embeds its fonts and may load images only from `imageSource`. */
  drawPreview: async ({
    document: { pages, ...rest },
    projectName,
    query,
    images,
    imageSource,
    projectFonts,
  }: {
    document: PackedDocument;
    projectName: string;
    query: z.output<typeof renderQuery>;
    images: DocumentImages;
    imageSource: string;
    /** The project fonts that the document uses. */
    projectFonts: ProjectFontFile[];
  }) => {
    const document = { ...rest, pages: JSON.parse(new TextDecoder().decode(pages)) };
    const plan = planSheets(document, projectName, printOptions(query, document));
    const fonts = `${await webFontFaces(plan.sheets)}\n${projectFontFaces(projectFonts)}`;
    return documentHtml({ plan, title: document.cover.title || projectName, images, imageSource, fonts });
  },

  /** Returns an export's input with each page as a JSON string, so that pages can be parsed one at a time. */
  parseSnapshot: ({ rows }: { rows: Bytes }) => {
    const { pages, ...rest } = parseSnapshot(rows);
    return { rest, pages: pages.map((page) => JSON.stringify(page)) };
  },

  /**
   * Renders sheets for the printing browser, which has the standard fonts installed. The page therefore embeds only
   * library fonts and project fonts.
   */
  documentHtml: async ({ projectFonts = [], ...input }: Parameters<RenderHtml>[0]) => {
    const fonts = (await libraryFontFaces(input.plan.sheets)) + projectFontFaces(projectFonts);
    return documentHtml({ ...input, fonts });
  },

  /** Returns the characters that the printing browser's fonts contain. */
  printedCharacters: (_: object) => printedCharacters(serverEnv().ATELIER_DATA_DIR),

  fontCoverage: ({ fonts }: { fonts: ProjectFontFile[] }) => fontCoverage(fonts),

  /**
   * Returns warnings for characters that neither the printing browser's fonts nor the text's own project font contains.
   */
  missingGlyphs: async ({ sheets, fonts }: { sheets: Sheet[]; fonts: FontCoverage[] }) =>
    missingGlyphs(sheets, await printedCharacters(serverEnv().ATELIER_DATA_DIR), fonts),
};
export type DocumentTasks = typeof documentTasks;
