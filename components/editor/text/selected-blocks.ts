import type { Editor } from '@tiptap/react';
import { type BlockFormat, ownFormat } from './typography-attributes';
import { formattedNodes } from './typography-extensions';

/**
 * Returns the format of the selected blocks: of the last one if all have the same type, otherwise an empty format. A
 * list and its items share one format.
 */
export function selectedFormat(editor: Editor): BlockFormat {
  const formats = formattedNodes
    .filter((type) => editor.isActive(type))
    .map((type) => ownFormat(editor.getAttributes(type)));
  return Object.assign({}, ...formats);
}

/** Changes the format of the selected blocks. A list changes with all its items, even if only some are selected. */
export function changeFormat(editor: Editor, patch: BlockFormat): void {
  editor.commands.command(({ tr }) => {
    const { from, to } = tr.selection;
    tr.doc.forEach((block, start) => {
      const end = start + block.nodeSize;
      if (end <= from || start >= to) return;
      tr.doc.nodesBetween(start, end, (node, at) => {
        if (formattedNodes.includes(node.type.name))
          tr.setNodeMarkup(at, undefined, { ...node.attrs, ...patch });
      });
    });
    return true;
  });
}
