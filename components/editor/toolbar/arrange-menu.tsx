'use client';

import { Menu } from '@mantine/core';
import { imageKey } from '@/lib/document/page-model';
import type { EditorAction } from '../editor-action';
import { selectedElements } from '../editor-change';
import type { EditorState } from '../editor-state';
import { useEditor, useEditorDispatch } from '../use-editor';
import { CanvasMenu } from './canvas-menu';

type Item = { label: string; keys?: string; action: EditorAction; least: number } | 'divider';

const items: Item[] = [
  { label: 'Cut', keys: 'Ctrl X', action: { type: 'cut' }, least: 1 },
  { label: 'Copy', keys: 'Ctrl C', action: { type: 'copied' }, least: 1 },
  { label: 'Paste', keys: 'Ctrl V', action: { type: 'pasted' }, least: 0 },
  { label: 'Duplicate', keys: 'Ctrl D', action: { type: 'duplicated' }, least: 1 },
  { label: 'Delete', keys: 'Del', action: { type: 'removed' }, least: 1 },
  'divider',
  { label: 'Group', keys: 'Ctrl G', action: { type: 'grouped' }, least: 2 },
  { label: 'Ungroup', keys: 'Ctrl ⇧ G', action: { type: 'ungrouped' }, least: 2 },
  'divider',
  { label: 'Bring to front', keys: 'Ctrl ⇧ ]', action: { type: 'layered', move: 'front' }, least: 1 },
  { label: 'Bring forward', keys: 'Ctrl ]', action: { type: 'layered', move: 'forward' }, least: 1 },
  { label: 'Send backward', keys: 'Ctrl [', action: { type: 'layered', move: 'backward' }, least: 1 },
  { label: 'Send to back', keys: 'Ctrl ⇧ [', action: { type: 'layered', move: 'back' }, least: 1 },
  'divider',
  { label: 'Align left', action: { type: 'aligned', alignment: 'left' }, least: 1 },
  { label: 'Align center', action: { type: 'aligned', alignment: 'center' }, least: 1 },
  { label: 'Align right', action: { type: 'aligned', alignment: 'right' }, least: 1 },
  { label: 'Align top', action: { type: 'aligned', alignment: 'top' }, least: 1 },
  { label: 'Align middle', action: { type: 'aligned', alignment: 'middle' }, least: 1 },
  { label: 'Align bottom', action: { type: 'aligned', alignment: 'bottom' }, least: 1 },
  { label: 'Distribute horizontally', action: { type: 'distributed', axis: 'horizontal' }, least: 3 },
  { label: 'Distribute vertically', action: { type: 'distributed', axis: 'vertical' }, least: 3 },
  { label: 'Fill page', action: { type: 'filled' }, least: 1 },
  'divider',
  { label: 'Select all', keys: 'Ctrl A', action: { type: 'all-selected' }, least: 0 },
];

/** Returns the id of the selected element if it is the only one and is an image frame with an image, otherwise null. */
function selectedImage(state: EditorState): string | null {
  const [only, ...others] = selectedElements(state);
  return only?.type === 'image' && others.length === 0 && imageKey(only) !== null ? only.id : null;
}

/** Menu of actions on the selected elements, with the actions' keyboard shortcuts. */
export function ArrangeMenu() {
  const dispatch = useEditorDispatch();
  const selected = useEditor((state) => state.selected);
  const image = useEditor(selectedImage);
  return (
    <CanvasMenu
      label="Arrange"
      items={
        <>
          {items.map((item, index) =>
            item === 'divider' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <Menu.Divider key={index} />
            ) : (
              <Menu.Item
                key={item.label}
                disabled={selected.length < item.least}
                rightSection={item.keys && <kbd style={{ opacity: 0.7 }}>{item.keys}</kbd>}
                onClick={() => dispatch(item.action)}
              >
                {item.label}
              </Menu.Item>
            ),
          )}
          <Menu.Item
            disabled={selected.length === 0}
            rightSection={<kbd style={{ opacity: 0.7 }}>Ctrl L</kbd>}
            onClick={() => dispatch({ type: 'locked', ids: selected, locked: true })}
          >
            Lock
          </Menu.Item>
          <Menu.Item
            disabled={image === null}
            rightSection={<kbd style={{ opacity: 0.7 }}>Enter</kbd>}
            onClick={() => image !== null && dispatch({ type: 'cropping-started', id: image })}
          >
            Crop image
          </Menu.Item>
        </>
      }
    />
  );
}
