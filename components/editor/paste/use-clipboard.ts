import { useEffect, useEffectEvent } from 'react';
import { focusCanvas } from '../canvas/focus-canvas';
import { selectedElements } from '../editor-state';
import { isTyping } from '../is-typing';
import { useEditorContext, usePageSize } from '../use-editor';
import { readClipboard, writeClipboard } from './clipboard';
import { foreignElement } from './foreign-elements';

/**
 * Handles copying, cutting and pasting of elements everywhere on the editor's page except in text fields and dialogs.
 * Text that the user has selected outside of the canvas is copied as text. Pasted image files go to `onFiles`.
 */
export function useClipboard(onFiles: (files: readonly File[]) => void): void {
  const { store } = useEditorContext();
  const size = usePageSize();

  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const elements = selectedElements(store.get());
    if (isTyping(event) || elements.length === 0 || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', writeClipboard(elements));
    const isCut = event.type === 'cut';
    store.dispatch({ type: isCut ? 'cut' : 'copied' });
    if (isCut) focusCanvas(store);
  });

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isTyping(event) || !event.clipboardData) return;
    event.preventDefault();
    const { clipboardData } = event;
    const text = clipboardData.getData('text/plain');
    const html = clipboardData.getData('text/html');
    const files = [...clipboardData.files];
    const refuse = (message: string) => store.dispatch({ type: 'told', text: message, refused: true });
    const own = readClipboard(text);
    if (own && 'elements' in own) store.dispatch({ type: 'pasted', elements: own.elements });
    else if (own) refuse(own.refused);
    // Files come with text (their names) from file managers, and with HTML from browsers. If both are present, the
    // file is only a spreadsheet's picture of the copied cells.
    else if ((text === '' || html === '') && files.length > 0) onFiles(files);
    else if (text === '' && html === '') refuse('The clipboard is empty.');
    else {
      const foreign = foreignElement(size, { text, html });
      if (foreign) {
        store.dispatch({ type: 'elements-added', elements: [foreign.element] });
        if (foreign.leftOut) refuse(foreign.leftOut);
      } else refuse('The clipboard has nothing that can be pasted here, or too much text.');
    }
    focusCanvas(store);
  });

  useEffect(() => {
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, []);
}
