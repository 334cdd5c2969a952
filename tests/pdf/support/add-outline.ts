import { type PDFDocument, PDFHexString, type PDFPage, type PDFRef } from '@cantoo/pdf-lib';

/**
 * Adds one top-level bookmark for each name, pointing to the page with the same index. The first bookmark has a child,
 * so a test detects a reader that counts all levels.
 */
export function addOutline(document: PDFDocument, pages: PDFPage[], names: string[]): void {
  const { context } = document;
  const root = context.nextRef();
  const items = names.map((name, index) => ({ name, ref: context.nextRef(), page: pages[index] }));
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return;

  const bookmark = (name: string, parent: PDFRef, page?: PDFPage) =>
    context.obj({
      Title: PDFHexString.fromText(name),
      Parent: parent,
      ...(page ? { Dest: context.obj([page.ref, 'Fit']) } : {}),
    });

  items.forEach(({ name, ref, page }, index) => {
    const dict = bookmark(name, root, page);
    const [previous, next] = [items[index - 1], items[index + 1]];
    if (previous) dict.set(context.obj('Prev'), previous.ref);
    if (next) dict.set(context.obj('Next'), next.ref);
    if (index === 0) {
      const child = context.register(bookmark('A part of the first', ref, page));
      dict.set(context.obj('First'), child);
      dict.set(context.obj('Last'), child);
      dict.set(context.obj('Count'), context.obj(-1));
    }
    context.assign(ref, dict);
  });
  context.assign(
    root,
    context.obj({ Type: 'Outlines', First: first.ref, Last: last.ref, Count: items.length }),
  );
  document.catalog.set(context.obj('Outlines'), root);
}
