import { Editor } from '@tiptap/react';
import { describe, expect, test } from 'vitest';
import { changeFormat, selectedFormat } from '@/components/editor/text/selected-blocks';
import { blocksOf, docOf } from '@/components/editor/text/text-blocks';
import { textExtensions } from '@/components/editor/text/text-extensions';
import type { TextBlock } from '@/lib/document/page-model';

const runs = (text: string) => [{ text, bold: false, italic: false, underline: false, link: null }];
const paragraph = (text: string, lineHeight?: number): TextBlock => ({
  type: 'paragraph',
  ...(lineHeight && { lineHeight }),
  runs: runs(text),
});
const list = (texts: string[], lineHeight?: number): TextBlock => ({
  type: 'list',
  ordered: false,
  ...(lineHeight && { lineHeight }),
  items: texts.map(runs),
});

/** Opens blocks in the rich-text editor, without a page to show them on. */
function opened(...blocks: TextBlock[]): Editor {
  const content = docOf(blocks);
  const editor = new Editor({ element: null, injectCSS: false, extensions: textExtensions, content });
  // An editor has no plugins until it is shown.
  for (const plugin of editor.extensionManager.plugins) editor.registerPlugin(plugin);
  return editor;
}

function select(editor: Editor, first: string, last: string): void {
  const at: Record<string, number> = {};
  editor.state.doc.descendants(({ text }, position) => {
    if (text !== undefined) at[text] = position;
  });
  editor.commands.setTextSelection({ from: at[first] ?? 0, to: (at[last] ?? 0) + 1 });
}

const savedHeights = (editor: Editor) =>
  blocksOf(editor.getJSON()).blocks.map(({ lineHeight }) => lineHeight ?? null);
/** The line height that each text is shown with: its own one, or else that of its list. */
function shownHeights(editor: Editor): Record<string, number | null> {
  const shown: Record<string, number | null> = {};
  editor.state.doc.forEach((block) => {
    block.descendants((node, _, parent) => {
      if (node.text !== undefined)
        shown[node.text] = parent?.attrs.lineHeight ?? block.attrs.lineHeight ?? null;
    });
  });
  return shown;
}

describe('the format of a list', () => {
  test('a list made from a paragraph takes its line height, and a change applies to what is shown and to what is saved', () => {
    const editor = opened(paragraph('oak', 2));
    editor.commands.toggleBulletList();
    expect([shownHeights(editor), savedHeights(editor)]).toEqual([{ oak: 2 }, [2]]);
    changeFormat(editor, { lineHeight: 1.2 });
    expect([shownHeights(editor), savedHeights(editor)]).toEqual([{ oak: 1.2 }, [1.2]]);
    expect(selectedFormat(editor).lineHeight).toBe(1.2);
    changeFormat(editor, { lineHeight: undefined });
    expect([shownHeights(editor), savedHeights(editor)]).toEqual([{ oak: null }, [null]]);
  });

  test('a paragraph that joins a list takes the line height of the list', () => {
    const editor = opened(list(['oak'], 1.2), paragraph('ash', 2));
    select(editor, 'ash', 'ash');
    editor.commands.toggleBulletList();
    expect([shownHeights(editor), savedHeights(editor)]).toEqual([{ oak: 1.2, ash: 1.2 }, [1.2]]);
  });

  test('a selection from a paragraph into a list changes the paragraph and the whole list', () => {
    const editor = opened(paragraph('oak', 2), list(['ash', 'elm'], 1.2), paragraph('fir', 3));
    select(editor, 'oak', 'ash');
    changeFormat(editor, { lineHeight: 1.5 });
    expect(shownHeights(editor)).toEqual({ oak: 1.5, ash: 1.5, elm: 1.5, fir: 3 });
    expect(savedHeights(editor)).toEqual([1.5, 1.5, 3]);
    changeFormat(editor, { lineHeight: undefined });
    expect(shownHeights(editor)).toEqual({ oak: null, ash: null, elm: null, fir: 3 });
    expect(savedHeights(editor)).toEqual([null, null, 3]);
  });

  test('a paragraph made from a list keeps its line height, and so does a list that becomes ordered', () => {
    const editor = opened(list(['oak'], 2));
    editor.commands.toggleOrderedList();
    expect(blocksOf(editor.getJSON()).blocks).toEqual([{ ...list(['oak'], 2), ordered: true }]);
    editor.commands.toggleOrderedList();
    expect(blocksOf(editor.getJSON()).blocks).toEqual([paragraph('oak', 2)]);
  });

  test('bold that is switched on together with a list stays on for the text that is typed next', () => {
    const editor = opened(paragraph('', 2), paragraph('oak'));
    editor.chain().setTextSelection(1).toggleBulletList().toggleBold().run();
    expect(savedHeights(editor)).toEqual([2, null]);
    expect(editor.state.storedMarks?.map(({ type }) => type.name)).toEqual(['bold']);
  });
});
