import { newKey } from '@/hooks/new-key';
import { type PageElement, pageData } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import { contentArea, cutTop } from '@/lib/document/templates/areas';
import { swapTemplate } from '@/lib/document/templates/swap-page';
import type { Template, TemplateContent } from '@/lib/document/templates/template';
import { imagesTemplate, imageTemplate, materialTemplate } from '@/lib/document/templates/templates';
import type { EditorDocument } from '../editor-change';
import { editorReducer } from '../editor-reducer';
import { openEditor } from '../editor-state';
import { newImages, newMaterials } from '../new-elements';

/** Where to add: a new page at the end, or an existing page. */
export type Destination = { kind: 'new' } | { kind: 'page'; pageId: string };

/**
 * Content to add, and the ids for it. A new page gets the first id. On an existing page, each added element gets one of
 * the ids. Because the ids are fixed, adding the content again after a lost response has no effect.
 */
export type Addition = { content: TemplateContent; ids: readonly string[] };

export function additionOf(content: TemplateContent): Addition {
  const count = Math.max(1, content.images.length + content.materials.length);
  return { content, ids: Array.from({ length: count }, newKey) };
}

function elementsOf(document: EditorDocument, { content, ids }: Addition): PageElement[] {
  const size = sheetSize(document);
  const { images, materials } = content;
  const whole = contentArea(size, document.margin);
  const isMixed = images.length > 0 && materials.length > 0;
  const [upper, lower] = isMixed ? cutTop(whole, whole.h * 0.6) : [whole, whole];
  const elements: PageElement[] = [
    ...newImages(size, images, upper),
    ...newMaterials(size, materials, lower),
  ];
  return elements.map((element, index) => ({ ...element, id: ids[index] ?? element.id }));
}

function templateFor({ images, schedule }: TemplateContent): Template {
  if (schedule) return swapTemplate;
  if (images.length > 1) return imagesTemplate;
  return images.length > 0 ? imageTemplate : materialTemplate;
}

type Added = { document: EditorDocument; pageId: string } | { refused: string };

/**
 * Returns the document with the addition, and the id of the page that contains the addition. If `document` already
 * contains the addition, returns `document` unchanged. If the content cannot be added, returns a message for the user
 * instead.
 */
export function addToDocument(document: EditorDocument, addition: Addition, to: Destination): Added {
  const { content, ids } = addition;
  const [pageId = newKey()] = ids;
  const isAdded = document.pages.find(
    ({ id, elements }) =>
      (to.kind === 'new' && id === pageId) || elements.some((element) => element.id === ids[0]),
  );
  if (isAdded) return { document, pageId: isAdded.id };
  if (to.kind === 'page' && !document.pages.some(({ id }) => id === to.pageId)) {
    return { refused: 'This page no longer exists. Choose another one.' };
  }
  const template = templateFor(content);
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
  if (next.message?.refused) return { refused: next.message.text };
  return { document: next.document, pageId: next.pageId ?? pageId };
}
