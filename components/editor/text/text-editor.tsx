'use client';

import { Popover } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { EditorContent, useEditor } from '@tiptap/react';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { textProps } from '@/components/document/text-view';
import type { TextBlock, TextElement } from '@/lib/document/page-model';
import { keepKey } from '../canvas/canvas-keys';
import { useEditor as useDocumentState } from '../use-editor';
import { cssText } from './css-text';
import { textHtml } from './pasted-html';
import { smartQuotes } from './smart-quotes';
import { blocksOf, docOf } from './text-blocks';
import classes from './text-editor.module.css';
import { textExtensions } from './text-extensions';
import { TextToolbar, type ToolbarPanel } from './text-toolbar';

type TextEditorProps = {
  element: TextElement;
  /** Whether to select the whole text when editing starts, rather than place the cursor at its end. */
  selectAll: boolean;
  /** Called on each change with the whole text. */
  onChange: (blocks: TextBlock[]) => void;
  /** Called when the user ends editing with Escape or moves the focus out of the text and its toolbar. */
  onDone: () => void;
};

/** Converts pasted HTML to what text elements support, and notifies the user about what is lost. */
function convertPasted(pasted: string): string {
  const { html, lost } = textHtml(pasted);
  if (lost) notifications.show({ message: lost });
  return html;
}

/** Edits a text element in place, with the styles of the printed page, so that nothing moves when editing starts. */
export function TextEditor({ element, selectAll, onChange, onDone }: TextEditorProps) {
  const [panel, setPanel] = useState<ToolbarPanel | null>(null);
  const language = useDocumentState(({ document }) => document.language);
  const toolbar = useRef<HTMLDivElement>(null);
  // The last blocks that this editor reported or loaded. If `element.blocks` is another array, the text was changed
  // elsewhere, for example by a merge.
  const lastBlocks = useRef(element.blocks);

  const box = textProps(element);
  const editor = useEditor({
    extensions: [...textExtensions, smartQuotes.configure({ language })],
    content: docOf(element.blocks),
    immediatelyRender: false,
    textDirection: 'auto',
    injectCSS: false,
    autofocus: selectAll ? 'all' : 'end',
    editorProps: {
      attributes: {
        class: box.className,
        'data-measured': element.id,
        style: cssText(box.style),
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Text. Press Alt+F10 for formatting, Escape to finish.',
      },
      transformPastedHTML: convertPasted,
      handleKeyDown: (_, event) => {
        if (event.key === 'Escape') {
          onDone();
          return true;
        }
        const isToolbarKey = event.altKey && event.key === 'F10';
        if (event.key === 'Tab' || isToolbarKey) {
          // Users press Tab in a list to indent an item. Lists have only one level, so ignore the key. It must not move
          // the focus to the toolbar, where the next key presses would be lost.
          if (!isToolbarKey && editor?.isActive('listItem')) return true;
          toolbar.current?.querySelector<HTMLElement>('[data-tool][tabindex="0"]')?.focus();
          return true;
        }
        if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
          setPanel('link');
          return true;
        }
        return false;
      },
    },
    onUpdate: ({ editor }) => {
      const { blocks, cut } = blocksOf(editor.getJSON());
      lastBlocks.current = blocks;
      if (cut) {
        editor.commands.setContent(docOf(blocks), { emitUpdate: false });
        notifications.show({
          color: 'yellow',
          message: 'The text is too long. The end was cut off.',
        });
      }
      onChange(blocks);
    },
  });

  const { blocks } = element;
  useEffect(() => {
    if (!editor || blocks === lastBlocks.current) return;
    lastBlocks.current = blocks;
    editor.commands.setContent(docOf(blocks), { emitUpdate: false });
  }, [editor, blocks]);

  const onBlur = ({ currentTarget }: FocusEvent<HTMLDivElement>) => {
    // The next element receives focus only after this event. Editing continues if the whole window loses focus.
    setTimeout(() => {
      const { activeElement } = document;
      const within = [currentTarget, toolbar.current].some((part) => part?.contains(activeElement));
      if (!within && document.hasFocus() && currentTarget.isConnected) onDone();
    });
  };

  // Keep pointer and clipboard events from reaching the canvas.
  const keep = (event: { stopPropagation: () => void }) => event.stopPropagation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: users interact with the text inside.
    <div
      className={classes.frame}
      onBlur={onBlur}
      onKeyDown={keepKey}
      onPointerDown={keep}
      onCopy={keep}
      onCut={keep}
      onPaste={keep}
    >
      <Popover
        opened={editor !== null}
        position="top-start"
        withinPortal
        trapFocus={false}
        returnFocus={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        transitionProps={{ duration: 0 }}
        withRoles={false}
      >
        <Popover.Target>
          <div className={classes.frame}>
            <EditorContent editor={editor} className={classes.frame} />
          </div>
        </Popover.Target>
        <Popover.Dropdown p={0} bd={0} bg="transparent">
          {editor && (
            <TextToolbar editor={editor} element={element} ref={toolbar} panel={panel} onPanel={setPanel} />
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
