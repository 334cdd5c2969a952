import { useEffect, useEffectEvent } from 'react';
import { focusCanvas } from './canvas/focus-canvas';
import { readClipboard, writeClipboard } from './clipboard';
import { selectedElements } from './editor-state';
import { foreignElement } from './foreign-elements';
import { useEditorContext, usePageSize } from './use-editor';

/** Where the browser's own copy and paste apply. */
const typing = 'input, textarea, select, [contenteditable="true"], [role="dialog"]';

const isElsewhere = ({ target }: Event) => target instanceof Element && target.closest(typing) !== null;

/**
 * Copy, cut and paste of elements everywhere on the editor's page except in text fields and dialogs. Text that the user has
 * selected outside of the canvas is copied as text.
 */
export function useClipboard(): void {
  const { store } = useEditorContext();
  const size = usePageSize();

  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const elements = selectedElements(store.get());
    if (isElsewhere(event) || elements.length === 0 || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData?.setData('text/plain', writeClipboard(elements));
    const isCut = event.type === 'cut';
    store.dispatch({ type: isCut ? 'cut' : 'copied' });
    if (isCut) focusCanvas(store);
  });

  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    if (isElsewhere(event) || !event.clipboardData) return;
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain');
    const html = event.clipboardData.getData('text/html');
    const refuse = (words: string) => store.dispatch({ type: 'told', text: words, refused: true });
    const own = readClipboard(text);
    if (own && 'elements' in own) store.dispatch({ type: 'pasted', elements: own.elements });
    else if (own) refuse(own.refused);
    else if (text !== '' || html !== '') {
      const element = foreignElement(size, { text, html });
      if (element) store.dispatch({ type: 'elements-added', elements: [element] });
      else refuse('The text in the clipboard is too long to paste.');
    } else if (event.clipboardData.files.length > 0) {
      refuse('Images cannot be pasted on a page yet. Use Image, From project, to upload one.');
    } else refuse('The clipboard is empty.');
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
