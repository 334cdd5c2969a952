import type { Node } from '@tiptap/pm/model';
import type { Selection } from '@tiptap/pm/state';
import type { Editor } from '@tiptap/react';
import { type BlockFormat, ownFormat } from './typography-attributes';
import { formattedNodes } from './typography-extensions';

/** A node and its position in the document. */
export type PlacedNode = { node: Node; at: number };

/** Returns the children of a node that are selected at least in part. The content of the node starts at `start`. */
export function selectedChildren(parent: Node, start: number, { from, to }: Selection): PlacedNode[] {
  const selected: PlacedNode[] = [];
  parent.forEach((node, offset) => {
    const at = start + offset;
    if (at < to && at + node.nodeSize > from) selected.push({ node, at });
  });
  return selected;
}

/**
 * Returns the format of the last selected block if all selected blocks have the same type, otherwise an empty format. A
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
    for (const { node: block, at: start } of selectedChildren(tr.doc, 0, tr.selection)) {
      tr.doc.nodesBetween(start, start + block.nodeSize, (node, at) => {
        if (formattedNodes.includes(node.type.name))
          tr.setNodeMarkup(at, undefined, { ...node.attrs, ...patch });
      });
    }
    return true;
  });
}
