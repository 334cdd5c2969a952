import { fontStack } from '@/lib/document/font-families';

// `--doc-font` is set on covers, tables of contents, elements, blocks and runs that have their own font. Where it is
// unset, the font list starts with the standard font twice, which is harmless.
const family = (language?: 'ja' | 'ko') => `font-family: var(--doc-font, Noto Sans), ${fontStack(language)};`;

/** The styles of a document on the canvas, in the preview and in print. */
export const documentCss = `
.doc-sheet, .doc-sheet * { box-sizing: border-box; }
/* Strict containment keeps a sheet in one piece. Without it, a page whose unscaled size exceeds the paper is split. */
.doc-sheet { position: relative; contain: strict; break-after: page; background: #ffffff; color: #1f2328;
  ${family()} font-size: 11pt; line-height: 1.4;
  text-align: start; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.doc-font { ${family()} }
.doc-sheet :lang(ja) { ${family('ja')} }
.doc-sheet :lang(ko) { ${family('ko')} }
.doc-bleed { position: absolute; overflow: hidden; background: #ffffff; }
.doc-trimmed { position: absolute; }
.doc-page { position: absolute; overflow: clip; transform-origin: 0 0; isolation: isolate; }
.doc-element { position: absolute; }
/* The master is below all elements of the page, because their z-index is at least -10000. */
.doc-master { position: absolute; inset: 0; z-index: -10001; isolation: isolate; }
.doc-folio { position: absolute; z-index: 10001; bottom: 7mm; margin: 0; font-size: 8pt; font-weight: 400;
  line-height: 1.2; color: #6a7078; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.doc-folio-title { right: 40mm; }

.doc-text { display: flex; flex-direction: column; width: 100%; height: 100%; overflow: hidden; overflow-wrap: break-word; }
.doc-text p, .doc-text h2, .doc-text h3, .doc-text h4, .doc-text ul, .doc-text ol { margin: 0 0 0.55em; flex: none; }
.doc-text p:last-child, .doc-text h2:last-child, .doc-text h3:last-child, .doc-text h4:last-child,
.doc-text ul:last-child, .doc-text ol:last-child { margin-bottom: 0 !important; }
.doc-text p:first-child, .doc-text h2:first-child, .doc-text h3:first-child, .doc-text h4:first-child,
.doc-text ul:first-child, .doc-text ol:first-child { margin-top: 0 !important; }
.doc-text p, .doc-text li, .doc-text h2, .doc-text h3, .doc-text h4 { white-space: pre-wrap; }
.doc-text p:empty { height: 1lh; }
.doc-text h2, .doc-text h3, .doc-text h4 { font-weight: 700; line-height: 1.2; }
.doc-text h2 { font-size: 1.6em; }
.doc-text h3 { font-size: 1.3em; }
.doc-text h4 { font-size: 1.1em; }
.doc-text ul, .doc-text ol { padding: 0; }
/* The margin makes room for the marker. It is on the item, because each item has its own text direction. */
.doc-text li { margin-inline-start: 1.4em; }
.doc-text ul { list-style: disc; }
.doc-text ol { list-style: decimal; }
.doc-text a { color: inherit; text-decoration: underline; }

.doc-image { position: relative; width: 100%; height: 100%; overflow: hidden; }
.doc-image img { position: absolute; display: block; max-width: none; }
.doc-missing { background: #eceef0; }

.doc-material { width: 100%; height: 100%; overflow: hidden; }
.doc-scale { display: flex; align-items: center; gap: 2mm; margin: 1.5mm 0 0; font-size: 7pt; line-height: 1.2; white-space: nowrap; }
.doc-scale-bar { display: block; flex: none; overflow: visible; }
.doc-material-title { margin: 2mm 0 1mm; font-weight: 700; line-height: 1.2; }
.doc-material dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.6mm 3mm; margin: 0; line-height: 1.3; }
.doc-material dt { color: #6a7078; }
.doc-material dd { margin: 0; overflow-wrap: anywhere; }

.doc-table { width: 100%; height: 100%; overflow: hidden; }
.doc-table table { width: 100%; table-layout: fixed; border-collapse: collapse; line-height: 1.3; }
.doc-table th, .doc-table td { padding: 1.2mm 1.6mm; border-bottom: 0.2mm solid; border-color: inherit;
  vertical-align: top; overflow-wrap: anywhere; white-space: pre-wrap; }
.doc-table th { font-weight: 700; }
.doc-cell-image { display: flex; }
.doc-table table, .doc-table thead, .doc-table tbody, .doc-table tr { border-color: inherit; }

.doc-shape { display: block; overflow: visible; }

.doc-cover { position: absolute; inset: 0; }
.doc-cover-text { position: absolute; inset: 0; display: flex; flex-direction: column; overflow: hidden; }
.doc-cover-image { position: absolute; }
.doc-cover h1 { margin: 0; font-weight: 700; line-height: 1.1; overflow-wrap: anywhere; }
.doc-cover p { margin: 4mm 0 0; font-size: 14pt; overflow-wrap: anywhere; }
.doc-cover p.doc-cover-small { margin-top: 2mm; font-size: 10pt; }

.doc-contents { position: absolute; overflow: hidden; }
.doc-contents h1 { margin: 0; font-size: 20pt; font-weight: 700; line-height: 1.2; }
.doc-contents ol { margin: 0; padding: 0; list-style: none; }
.doc-contents a { display: flex; align-items: baseline; gap: 2mm; color: inherit; text-decoration: none; }
.doc-contents-title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.doc-contents-dots { flex: 1; min-width: 6mm; border-bottom: 0.25mm dotted #9aa0a8; }
`;

/**
 * Returns additional styles for an HTML page that contains only a document. They set the paper size (in mm), remove
 * margins, hide empty frames (which only the editor shows) and, on screens, center the sheets on a gray background.
 */
export function pageCss({ width, height }: { width: number; height: number }): string {
  return `
@page { size: ${width}mm ${height}mm; margin: 0; }
html, body { margin: 0; padding: 0; }
.doc-empty { visibility: hidden; }
@media screen { body { background: #d9dce0; } .doc-sheet { margin: 8mm auto; } }
`;
}
