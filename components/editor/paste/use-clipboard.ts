import { useWindowEvent } from '@mantine/hooks';
import { describeError } from '@/components/feedback/describe-error';
import type { DocumentImages, PageElement } from '@/lib/document/page-model';
import { focusCanvas, isCanvasActive } from '../canvas/focus-canvas';
import { copyImages } from '../document-calls';
import { copiedElements, isOpen, openPage } from '../editor-change';
import { isTyping } from '../is-typing';
import { imagesOfPicks } from '../pickers/image-pick';
import { useDocumentImages, useEditorContext, usePageSize } from '../use-editor';
import { readClipboard, writeClipboard } from './clipboard';
import { unknownImages, withCopies } from './paste-images';

type Clipboard = {
  /** Receives pasted files, including an SVG that was copied as text. */
  onFiles: (files: readonly File[]) => void;
  /** Receives images that were copied into the project, so that the editor does not have to fetch them. */
  onImages: (images: DocumentImages) => void;
};

/**
 * Handles copying and cutting elements, and pasting elements, files, text and spreadsheet cells, anywhere in the editor
 * except in text fields and dialogs. Text selected outside the canvas is copied as text. The images of elements from
 * another project are copied into this one.
 */
export function useClipboard({ onFiles, onImages }: Clipboard): void {
  const { store, projectId, canEdit } = useEditorContext();
  const size = usePageSize();
  const images = useDocumentImages();
  const refuse = (text: string) => store.dispatch({ type: 'announced', text, refused: true });

  const onCopy = (event: ClipboardEvent) => {
    const elements = copiedElements(store.get());
    if (isTyping(event) || elements.length === 0 || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', writeClipboard(elements));
    const isCut = event.type === 'cut';
    store.dispatch({ type: isCut ? 'cut' : 'copied' });
    if (isCut) focusCanvas(store);
  };

  const pasteElements = async (elements: readonly PageElement[]) => {
    const unknown = unknownImages(elements, images);
    const { pageId, sheet } = store.get();
    const to = { pageId, sheet };
    if (unknown.length === 0 || !canEdit || openPage(store.get()) === null)
      return store.dispatch({ type: 'pasted', elements });
    store.dispatch({ type: 'announced', text: 'Copying images …' });
    try {
      const copied = await copyImages(projectId, unknown);
      const pasted = withCopies(elements, copied);
      onImages(
        imagesOfPicks(copied.images.map((image) => ({ ...image, imageId: null, path: image.newKey }))),
      );
      store.dispatch({ type: 'pasted', elements: pasted.elements, to });
      if (pasted.leftOut) refuse(pasted.leftOut);
      if (isOpen(to, store.get()) && isCanvasActive()) focusCanvas(store);
    } catch (error) {
      refuse(`The images could not be copied, so nothing was pasted. ${describeError(error)}`);
    }
  };

  const pasteForeign = async (text: string, html: string) => {
    const { pageId, sheet } = store.get();
    try {
      // Imported on demand, because `foreign-elements` loads the text editor's code to parse HTML.
      const { foreignElement } = await import('./foreign-elements');
      const foreign = foreignElement(size, { text, html });
      if (!foreign) return refuse('The clipboard has nothing that can be pasted here, or too much text.');
      store.dispatch({ type: 'elements-added', elements: [foreign.element], to: { pageId, sheet } });
      if (foreign.leftOut) refuse(foreign.leftOut);
      focusCanvas(store);
    } catch (error) {
      refuse(`Nothing was pasted. ${describeError(error)}`);
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    if (isTyping(event) || !event.clipboardData) return;
    event.preventDefault();
    const { clipboardData } = event;
    const text = clipboardData.getData('text/plain');
    const html = clipboardData.getData('text/html');
    const files = [...clipboardData.files];
    const own = readClipboard(text);
    if (own && 'elements' in own) void pasteElements(own.elements);
    else if (own) refuse(own.refused);
    // Files copied in a file manager come with their names as text, and images copied in a browser come with HTML. If
    // there are both text and HTML, the file is only a picture of cells copied from a spreadsheet, so ignore it.
    else if ((text === '' || html === '') && files.length > 0) onFiles(files);
    // Drawing programs copy an SVG as text.
    else if (/^\s*<svg[\s>]/.test(text)) onFiles([new File([text], 'Pasted.svg', { type: 'image/svg+xml' })]);
    else if (text === '' && html === '') refuse('The clipboard is empty.');
    else void pasteForeign(text, html);
    focusCanvas(store);
  };
  useWindowEvent('copy', onCopy);
  useWindowEvent('cut', onCopy);
  useWindowEvent('paste', onPaste);
}
