import { pageData } from '@/lib/document/page-model';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';

/** Returns a document with one empty page per title. */
export const documentOf = (...titles: string[]): ProjectDocument =>
  projectDocument.parse({
    version: 0,
    pages: titles.map((title, index) => pageData.parse({ id: `p${index}`, title, elements: [] })),
  });
export const [first, second, third] = [documentOf('first'), documentOf('second'), documentOf('third')];
