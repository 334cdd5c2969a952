import type { Transaction } from '@tiptap/pm/state';
import { type Command, Extension, getNodeType } from '@tiptap/react';
import { type PlacedNode, selectedChildren } from './selected-blocks';
import { ownFormat } from './typography-attributes';
import { lists } from './typography-extensions';

/** Turns list items into paragraphs. The items before and after them remain in lists. */
function liftItems(tr: Transaction, items: PlacedNode[]): void {
  // Go from the last item to the first, so that the positions of the remaining items stay valid.
  for (const { at } of items.toReversed()) {
    const range = tr.doc.resolve(at + 2).blockRange();
    if (range) tr.lift(range, 0);
  }
}

/**
 * Joins the selected blocks, and lists of the type `name` directly before and after them, into one list of this type.
 * The result takes the format of the first list among all these blocks or, if there is none, of the first block.
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
  // Go from the last block to the first, so that the positions of the remaining blocks stay valid.
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

/**
 * Returns a command that joins the selected blocks into one list of the type `name`. If all of them are lists of this
 * type already, the command turns their selected items into paragraphs instead.
 */
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
    // Changing the document resets the marks for the text to be typed next, so set them again.
    tr.setStoredMarks(storedMarks).scrollIntoView();
    return true;
  };
}

/**
 * The commands that toggle lists. They replace TipTap's own commands, which wrap all selected paragraphs in one list
 * item and then split it. TipTap's commands fail here, because a list item must contain exactly one paragraph.
 */
export const listCommands = Extension.create({
  name: 'listCommands',
  addCommands: () => ({
    toggleBulletList: () => toggleList('bulletList'),
    toggleOrderedList: () => toggleList('orderedList'),
  }),
});
