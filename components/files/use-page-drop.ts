'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { UserFacingError } from '@/components/feedback/describe-error';
import { whenUsed } from '@/components/feedback/on-demand';
import { showError } from '@/components/feedback/show-error';

const inZone = (event: Event) => event.target instanceof Element && event.target.closest('[data-drop-zone]');
const hasDialog = () => document.querySelector('[role="dialog"]') !== null;

/**
 * Passes files that are dropped or pasted anywhere on the page to `onFiles`, except for files dropped on a drop zone.
 * For a dropped folder, passes the files in it; their `path` contains the folder's name. While a dialog is open, or
 * without `onFiles`, ignores the files, but still keeps the browser from opening dropped files in place of the app.
 * Returns whether files that would be accepted are being dragged over the page, outside of drop zones.
 */
export function usePageDrop(onFiles?: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const isUsed = useEffectEvent(() => onFiles !== undefined);
  const pass = useEffectEvent((files: File[]) => onFiles?.(files));

  useEffect(() => {
    // The module that reads dropped folders. It must load before a drop, because browsers give access to a folder's
    // files only during the event. Until it has loaded, only files can be dropped, not folders.
    let selector: typeof import('file-selector') | undefined;
    const load = () =>
      void import('file-selector').then(
        (loaded) => {
          selector = loaded;
        },
        () => undefined,
      );
    const cancelLoad = whenUsed(load);
    // Whether the drag started on this page. An image dragged from the page counts as a file, but is not an upload.
    let ours = false;
    const onDragStart = () => {
      ours = true;
    };
    const onDragEnd = () => {
      ours = false;
    };
    const takes = () => isUsed() && !ours && !hasDialog();
    const passDropped = async (event: DragEvent) => {
      try {
        const dropped = selector ? await selector.fromEvent(event) : [...(event.dataTransfer?.files ?? [])];
        const files = dropped.filter((file) => file instanceof File);
        if (files.length > 0) pass(files);
      } catch {
        // This happens, for example, if the browser is not allowed to read a folder.
        showError(
          'The files could not be read',
          new UserFacingError('Check that you can open them, and try again.'),
        );
      }
    };
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      if (!selector) load();
      if (inZone(event)) return setOver(false);
      event.preventDefault();
      event.dataTransfer.dropEffect = takes() ? 'copy' : 'none';
      setOver(takes());
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes('Files') || inZone(event)) return;
      event.preventDefault();
      if (takes()) void passDropped(event);
    };
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // Copied spreadsheet cells consist of text, HTML and a picture, so treat them as text. For a copied file, the
      // clipboard contains at most the file name as text.
      const isText = ['text/plain', 'text/html'].every((type) => event.clipboardData?.types.includes(type));
      if (files.length === 0 || isText || !takes()) return;
      event.preventDefault();
      pass(files);
    };
    const end = new AbortController();
    // Capture the events before a text field or a drop zone handles them.
    const early = { capture: true, signal: end.signal };
    window.addEventListener('dragstart', onDragStart, early);
    window.addEventListener('dragend', onDragEnd, early);
    window.addEventListener('dragover', onDragOver, early);
    window.addEventListener('dragleave', onDragLeave, early);
    window.addEventListener('drop', onDrop, early);
    window.addEventListener('paste', onPaste, early);
    return () => {
      cancelLoad();
      end.abort();
    };
  }, []);
  return over;
}
