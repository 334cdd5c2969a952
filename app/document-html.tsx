import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ReactNode } from 'react';
import { documentCss, pageCss } from '@/components/document/document-css';
import { DocumentView } from '@/components/document/document-view';
import { hyphenatedSheet } from '@/lib/document/hyphenation/hyphenated-sheet';
import { hyphenatorOf } from '@/lib/document/hyphenation/hyphenator';
import { paperSize } from '@/lib/document/sheet-edge';
import type { SheetPlan } from '@/lib/document/sheets';
import type { RenderHtml } from '@/lib/pdf/make-pdf';
import { documentPolicy } from './document-policy';

type Renderer = { renderToStaticMarkup(node: ReactNode): string };
let renderer: Renderer | undefined;

/** Returns React's static renderer, which is loaded on the first call. */
function staticRenderer(): Renderer {
  renderer ??= createRequire(join(process.cwd(), 'package.json'))('react-dom/server') as Renderer;
  return renderer;
}

/** Adds soft hyphens to the plan's text elements that have hyphenation turned on. */
async function hyphenated(plan: SheetPlan): Promise<SheetPlan> {
  const hyphenate = await hyphenatorOf(plan.language);
  if (!hyphenate) return plan;
  return { ...plan, sheets: plan.sheets.map((sheet) => hyphenatedSheet(sheet, hyphenate)) };
}

/**
 * Returns a document as a complete, printable HTML page. `fonts` contains `@font-face` rules for fonts that may not be
 * installed on the machine that opens the page.
 */
export const documentHtml = async ({
  plan,
  title,
  images,
  imageSource,
  linkBase,
  paper = paperSize(plan),
  fonts = '',
}: Parameters<RenderHtml>[0] & { fonts?: string }): ReturnType<RenderHtml> => {
  const page = (
    <html lang={plan.language}>
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={documentPolicy(imageSource)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{fonts + documentCss + pageCss(paper)}</style>
      </head>
      <body className="doc-sheets">
        <DocumentView plan={await hyphenated(plan)} images={images} linkBase={linkBase} />
      </body>
    </html>
  );
  return `<!doctype html>${staticRenderer().renderToStaticMarkup(page)}`;
};
