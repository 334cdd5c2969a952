import type { Editor } from '@tiptap/react';
import { type BlockFormat, ownFormat } from './typography-attributes';

const lists = ['bulletList', 'orderedList'];
const texts = ['paragraph', 'heading'];
const selected = (editor: Editor, types: string[]) => types.filter((type) => editor.isActive(type));

/** Returns the format of the selected blocks. A list and its items share one format. */
export function selectedFormat(editor: Editor): BlockFormat {
  const formats = [...selected(editor, texts), ...selected(editor, lists)].map((type) =>
    ownFormat(editor.getAttributes(type)),
  );
  return Object.assign({}, ...formats);
}

/** Changes the format of the selected blocks. */
export function changeFormat(editor: Editor, patch: BlockFormat): void {
  const inLists = selected(editor, lists);
  const chain = editor.chain();
  for (const type of inLists.length > 0 ? inLists : texts) chain.updateAttributes(type, patch);
  // A paragraph that became a list item may still have its own style.
  if (inLists.length > 0 && 'style' in patch) chain.updateAttributes('paragraph', { style: undefined });
  chain.run();
}
