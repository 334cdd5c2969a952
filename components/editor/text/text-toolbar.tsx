'use client';

import { ActionIcon, Paper, Tooltip } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import {
  IconBold,
  IconBrush,
  IconH1,
  IconH2,
  IconH3,
  IconItalic,
  IconLineHeight,
  IconLink,
  IconList,
  IconListNumbers,
  IconPilcrow,
  IconSubscript,
  IconSuperscript,
  IconTypography,
  IconUnderline,
} from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { Fragment, type KeyboardEvent, type MouseEvent, type RefObject, useState } from 'react';
import type { TextElement } from '@/lib/document/page-model';
import { LinkField } from './link-field';
import { ParagraphStyleField } from './paragraph-style-field';
import { selectedFormat } from './selected-blocks';
import { SpacingFields } from './spacing-fields';
import classes from './text-editor.module.css';
import { TypographyFields } from './typography-fields';

/** The panels that the toolbar can show. Each panel contains fields. */
export type ToolbarPanel = 'style' | 'link' | 'typography' | 'spacing';

type Tool = {
  label: string;
  icon: typeof IconBold;
  isOn: (editor: Editor) => boolean;
} & (
  | { run: (editor: Editor) => void; panel?: undefined }
  /** The panel that the tool shows or hides. */
  | { panel: ToolbarPanel; run?: undefined }
);

const headingTool = (level: 1 | 2 | 3, icon: typeof IconH1): Tool => ({
  label: `Heading ${level}`,
  icon,
  isOn: (editor) => editor.isActive('heading', { level }),
  run: (editor) => editor.chain().focus().toggleNode('heading', 'paragraph', { level }).run(),
});

const positionTool = (position: 'superscript' | 'subscript', label: string, icon: typeof IconH1): Tool => ({
  label,
  icon,
  isOn: (editor) => editor.isActive('typography', { position }),
  run: (editor) => {
    const isOn = editor.isActive('typography', { position });
    editor
      .chain()
      .focus()
      .setMark('typography', { position: isOn ? null : position })
      .run();
  },
});

const groups: Tool[][] = [
  [
    {
      label: 'Paragraph',
      icon: IconPilcrow,
      isOn: (editor) => !['heading', 'bulletList', 'orderedList'].some((name) => editor.isActive(name)),
      run: (editor) => editor.chain().focus().setNode('paragraph').run(),
    },
    headingTool(1, IconH1),
    headingTool(2, IconH2),
    headingTool(3, IconH3),
    {
      label: 'Paragraph style',
      icon: IconBrush,
      isOn: (editor) => selectedFormat(editor).style !== undefined,
      panel: 'style',
    },
  ],
  [
    {
      label: 'Bulleted list',
      icon: IconList,
      isOn: (editor) => editor.isActive('bulletList'),
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
    },
    {
      label: 'Numbered list',
      icon: IconListNumbers,
      isOn: (editor) => editor.isActive('orderedList'),
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
    },
  ],
  [
    {
      label: 'Bold',
      icon: IconBold,
      isOn: (editor) => editor.isActive('bold'),
      run: (editor) => editor.chain().focus().toggleBold().run(),
    },
    {
      label: 'Italic',
      icon: IconItalic,
      isOn: (editor) => editor.isActive('italic'),
      run: (editor) => editor.chain().focus().toggleItalic().run(),
    },
    {
      label: 'Underline',
      icon: IconUnderline,
      isOn: (editor) => editor.isActive('underline'),
      run: (editor) => editor.chain().focus().toggleUnderline().run(),
    },
    positionTool('superscript', 'Superscript', IconSuperscript),
    positionTool('subscript', 'Subscript', IconSubscript),
    { label: 'Link', icon: IconLink, isOn: (editor) => editor.isActive('link'), panel: 'link' },
  ],
  [
    {
      label: 'Font and color',
      icon: IconTypography,
      isOn: (editor) => editor.isActive('typography'),
      panel: 'typography',
    },
    { label: 'Paragraph spacing', icon: IconLineHeight, isOn: () => false, panel: 'spacing' },
  ],
];
const tools = groups.flat();
const keysOf: Record<string, string> = { Bold: 'Control+B', Italic: 'Control+I', Underline: 'Control+U' };

/**
 * Keeps a mouse press from moving the focus, unless the press is on an input. Without this, a press between two tools
 * would end editing.
 */
function keepFocus(event: MouseEvent): void {
  if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
}

type TextToolbarProps = {
  editor: Editor;
  element: TextElement;
  ref: RefObject<HTMLDivElement | null>;
  /** The open panel; null if none is open. */
  panel: ToolbarPanel | null;
  onPanel: (panel: ToolbarPanel | null) => void;
};

/**
 * The formatting toolbar. Its tools are a single Tab stop, and the arrow keys move between them. Escape closes the open
 * panel. If the focus is in the toolbar, Escape also moves the focus. If the link panel or no panel is open, the focus
 * moves to the text. If another panel is open, the focus moves to that panel's button.
 */
export function TextToolbar({ editor, element, ref, panel, onPanel }: TextToolbarProps) {
  const [stop, setStop] = useState(0);
  const isOn = useEditorState({
    editor,
    selector: ({ editor }) => tools.map((tool) => tool.isOn(editor)),
  });

  const returnToText = () => {
    onPanel(null);
    editor.commands.focus();
  };
  const onEscape = (event: globalThis.KeyboardEvent) => {
    const focused = document.activeElement;
    if (event.key !== 'Escape' || event.isComposing) return;
    // Clicking a tool leaves the focus in the text. Escape then closes the tool's panel but does not end editing.
    const closesFromText = panel !== null && editor.view.dom.contains(focused);
    if (!closesFromText && !ref.current?.contains(focused)) return;
    // A field with an open list has this attribute. Escape then only closes the list.
    if (focused?.getAttribute('data-mantine-stop-propagation') === 'true') return;
    event.preventDefault();
    event.stopPropagation();
    if (closesFromText) return onPanel(null);
    // Clicking the link tool or pressing Ctrl+K moves the focus from the text to the link field. Escape moves it back.
    if (panel === null || panel === 'link') return returnToText();
    ref.current?.querySelector<HTMLElement>('[data-tool][aria-expanded=true]')?.focus();
    onPanel(null);
  };
  // Handle Escape in the capture phase. Otherwise, Escape in the text would end editing, and Escape on a focused tool
  // would only close its tooltip.
  useWindowEvent('keydown', onEscape, { capture: true });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Tab' && panel === null) {
      event.preventDefault();
      returnToText();
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')];
    const at = buttons.indexOf(event.target as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };

  return (
    // A separate landmark, because it renders in a portal outside the main element.
    <Paper component="section" aria-label="Formatting" withBorder shadow="md" radius="md">
      <div
        ref={ref}
        role="toolbar"
        aria-label="Text formatting"
        className={classes.toolbar}
        onKeyDown={onKeyDown}
        onMouseDown={keepFocus}
      >
        {groups.map((group, groupIndex) => (
          <Fragment key={group[0]?.label}>
            {groupIndex > 0 && <span className={classes.divider} />}
            {group.map((tool) => {
              const index = tools.indexOf(tool);
              const { label, icon: Icon, run } = tool;
              const isShown = tool.panel !== undefined && tool.panel === panel;
              return (
                <Tooltip key={label} label={label}>
                  <ActionIcon
                    data-tool
                    variant={isOn[index] ? 'light' : 'subtle'}
                    color={isOn[index] ? undefined : 'gray'}
                    aria-label={label}
                    aria-pressed={isOn[index]}
                    aria-keyshortcuts={keysOf[label]}
                    tabIndex={index === stop ? 0 : -1}
                    onFocus={() => setStop(index)}
                    aria-expanded={tool.panel ? isShown : undefined}
                    onClick={() => (run ? run(editor) : onPanel(isShown ? null : tool.panel))}
                  >
                    <Icon size={18} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
              );
            })}
          </Fragment>
        ))}
        {panel === 'style' && <ParagraphStyleField editor={editor} />}
        {panel === 'link' && <LinkField editor={editor} onClose={() => onPanel(null)} />}
        {panel === 'typography' && <TypographyFields editor={editor} element={element} />}
        {panel === 'spacing' && <SpacingFields editor={editor} element={element} />}
      </div>
    </Paper>
  );
}
