import { newKey } from '@/hooks/new-key';
import { type PageElement, pageData } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import type { TemplateContent } from '@/lib/document/templates/template';
import { imageTemplate, materialTemplate } from '@/lib/document/templates/templates';
import type { EditorDocument } from '../editor-change';
import { editorReducer, openEditor } from '../editor-state';
import { newImage, newMaterial } from '../new-elements';

/** Where to add: a new page at the end, or an existing page. */
export type Destination = { kind: 'new' } | { kind: 'page'; pageId: string };

/** Content with preassigned ids, so that adding it again after a lost response has no effect. */
export type Addition = { content: TemplateContent; ids: readonly string[] };

/** Offset of each element from the one before, right and down, in millimeters. */
const STEP = 8;

export function additionOf(content: TemplateContent): Addition {
  const count = Math.max(1, content.images.length + content.materials.length);
  return { content, ids: Array.from({ length: count }, newKey) };
}

function elementsOf(document: EditorDocument, { content, ids }: Addition): PageElement[] {
  const size = sheetSize(document);
  const elements: PageElement[] = [
    ...content.images.map((image) => newImage(size, image)),
    ...content.materials.map((material) => newMaterial(size, material)),
  ];
  return elements.map((element, index) => ({
    ...element,
    id: ids[index] ?? element.id,
    x: element.x + index * STEP,
    y: element.y + index * STEP,
  }));
}

type Added = { document: EditorDocument; pageId: string } | { refused: string };

/** Returns the document with the addition and the id of its page, or a message when it does not fit. */
export function addToDocument(document: EditorDocument, addition: Addition, to: Destination): Added {
  const { content, ids } = addition;
  const [pageId = newKey()] = ids;
  const isThere = document.pages.find(
    ({ id, elements }) =>
      (to.kind === 'new' && id === pageId) || elements.some((element) => element.id === ids[0]),
  );
  if (isThere) return { document, pageId: isThere.id };
  if (to.kind === 'page' && !document.pages.some(({ id }) => id === to.pageId)) {
    return { refused: 'This page no longer exists. Choose another one.' };
  }
  const template = content.images.length > 0 ? imageTemplate : materialTemplate;
  const next =
    to.kind === 'new'
      ? editorReducer(openEditor(document), {
          type: 'pages-added',
          pages: [pageData.parse(template.make(document, content, pageId))],
          after: null,
        })
      : editorReducer(openEditor(document, to.pageId), {
          type: 'elements-added',
          elements: elementsOf(document, addition),
        });
  if (next.said?.refused) return { refused: next.said.text };
  return { document: next.document, pageId: next.pageId ?? pageId };
}
