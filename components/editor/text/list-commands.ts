import type { Transaction } from '@tiptap/pm/state';
import { type Command, Extension, getNodeType } from '@tiptap/react';
import { type PlacedNode, selectedChildren } from './selected-blocks';
import { ownFormat } from './typography-attributes';
import { lists } from './typography-extensions';

/** Takes items out of their lists, as paragraphs. What comes before and after them in a list stays a list. */
function liftItems(tr: Transaction, items: PlacedNode[]): void {
  // Goes from the last to the first, so that the positions of the others stay right.
  for (const { at } of items.toReversed()) {
    const range = tr.doc.resolve(at + 2).blockRange();
    if (range) tr.lift(range, 0);
  }
}

/**
 * Makes one list of the selected blocks and of the lists of this type next to them. It has the format of the first list
 * among them, or else that of the first block.
 */
function joinIntoList(tr: Transaction, blocks: PlacedNode[], name: string): void {
  const { schema } = tr.doc.type;
  const type = getNodeType(name, schema);
  const start = blocks[0]?.at ?? 0;
  const end = blocks.reduce((at, { node }) => at + node.nodeSize, start);
  const before = tr.doc.resolve(start).nodeBefore;
  const after = tr.doc.resolve(end).nodeAfter;
  const nodes = [
    ...(before?.type === type ? [before] : []),
    ...blocks.map(({ node }) => node),
    ...(after?.type === type ? [after] : []),
  ];
  const source = nodes.find((node) => lists.includes(node.type.name)) ?? nodes[0];
  const format = ownFormat(source?.attrs);
  // Goes from the last to the first, so that the positions of the others stay right.
  for (const { node, at } of blocks.toReversed()) {
    if (lists.includes(node.type.name)) tr.setNodeMarkup(at, type, format);
    else {
      tr.setNodeMarkup(at, getNodeType('paragraph', schema), format);
      const range = tr.doc.resolve(at + 1).blockRange();
      if (range) tr.wrap(range, [{ type, attrs: format }, { type: getNodeType('listItem', schema) }]);
    }
    const next = at + (tr.doc.nodeAt(at)?.nodeSize ?? 0);
    if (tr.doc.nodeAt(next)?.type === type) tr.join(next);
  }
  if (before?.type === type) tr.join(start);
}

/** Returns a command that makes one list of the selected blocks, or paragraphs of the items if all are in such lists. */
function toggleList(name: string): Command {
  return ({ tr, dispatch }) => {
    if (!dispatch) return true;
    const { selection, storedMarks } = tr;
    const blocks = selectedChildren(tr.doc, 0, selection);
    if (blocks.every(({ node }) => node.type.name === name)) {
      liftItems(
        tr,
        blocks.flatMap(({ node, at }) => selectedChildren(node, at + 1, selection)),
      );
    } else joinIntoList(tr, blocks, name);
    // A change resets the marks for the text to be typed next.
    tr.setStoredMarks(storedMarks).scrollIntoView();
    return true;
  };
}

/**
 * The commands that toggle lists. Those of TipTap wrap all selected paragraphs in one item and split it after, which
 * fails here, where an item has exactly one paragraph.
 */
export const listCommands = Extension.create({
  name: 'listCommands',
  addCommands: () => ({
    toggleBulletList: () => toggleList('bulletList'),
    toggleOrderedList: () => toggleList('orderedList'),
  }),
});
