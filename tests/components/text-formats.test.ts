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
/** Returns the line height that each text is shown with: its own, or its list's if it has none of its own. */
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

describe('lists of several blocks', () => {
  const heading = (text: string, lineHeight: number): TextBlock => ({
    type: 'heading',
    level: 2,
    lineHeight,
    runs: runs(text),
  });
  const numbers = (texts: string[], lineHeight: number): TextBlock => ({
    type: 'list',
    ordered: true,
    lineHeight,
    items: texts.map(runs),
  });
  const saved = (editor: Editor) => blocksOf(editor.getJSON()).blocks;

  test('selected headings and paragraphs become one list with the format of the first, and one undo takes it back', () => {
    const bold: TextBlock = {
      type: 'paragraph',
      runs: [...runs('ash\n'), ...runs('elm').map((run) => ({ ...run, bold: true }))],
    };
    const blocks = [paragraph('yew'), heading('oak', 2), bold, paragraph('fir', 3), paragraph('box', 4)];
    for (const ordered of [false, true]) {
      const editor = opened(...blocks);
      select(editor, 'oak', 'fir');
      if (ordered) editor.commands.toggleOrderedList();
      else editor.commands.toggleBulletList();
      const items = [runs('oak'), bold.runs, runs('fir')];
      const made: TextBlock = { type: 'list', lineHeight: 2, ordered, items };
      expect(saved(editor)).toEqual([paragraph('yew'), made, paragraph('box', 4)]);
      expect(shownHeights(editor)).toEqual({ yew: null, oak: 2, ash: 2, elm: 2, fir: 2, box: 4 });
      const { from, to } = editor.state.selection;
      expect(editor.state.doc.textBetween(from, to, ' ', '-')).toBe('oak ash-elm f');
      editor.commands.undo();
      expect(saved(editor)).toEqual(blocks);
    }
  });

  test('selected items become paragraphs, the others stay lists, and one undo takes it back', () => {
    const blocks = [list(['oak', 'ash', 'elm', 'fir'], 2)];
    const editor = opened(...blocks);
    select(editor, 'ash', 'elm');
    editor.commands.toggleBulletList();
    const part = [list(['oak'], 2), paragraph('ash', 2), paragraph('elm', 2), list(['fir'], 2)];
    expect(saved(editor)).toEqual(part);
    editor.commands.undo();
    expect(saved(editor)).toEqual(blocks);
    editor.commands.selectAll();
    editor.commands.toggleBulletList();
    expect(saved(editor)).toEqual(['oak', 'ash', 'elm', 'fir'].map((text) => paragraph(text, 2)));
    editor.commands.undo();
    expect(saved(editor)).toEqual(blocks);
  });

  test('items of several lists become paragraphs', () => {
    const editor = opened(list(['oak', 'ash'], 2), list(['elm', 'fir'], 3));
    select(editor, 'ash', 'elm');
    editor.commands.toggleBulletList();
    const expected = [list(['oak'], 2), paragraph('ash', 2), paragraph('elm', 3), list(['fir'], 3)];
    expect(saved(editor)).toEqual(expected);
  });

  test('all items stay when a selection of them changes from bullets to numbers and back', () => {
    const editor = opened(paragraph('yew'), list(['oak', 'ash', 'elm'], 2));
    select(editor, 'oak', 'ash');
    editor.commands.toggleOrderedList();
    expect(saved(editor)).toEqual([paragraph('yew'), numbers(['oak', 'ash', 'elm'], 2)]);
    editor.commands.toggleBulletList();
    expect(saved(editor)).toEqual([paragraph('yew'), list(['oak', 'ash', 'elm'], 2)]);
  });

  test('paragraphs and lists that are selected together become one list with the format of the first list', () => {
    const blocks = [paragraph('oak', 3), list(['ash', 'elm']), numbers(['fir'], 2), paragraph('box', 4)];
    for (const ordered of [false, true]) {
      const editor = opened(...blocks);
      editor.commands.selectAll();
      if (ordered) editor.commands.toggleOrderedList();
      else editor.commands.toggleBulletList();
      const items = ['oak', 'ash', 'elm', 'fir', 'box'].map(runs);
      expect(saved(editor)).toEqual([{ type: 'list', ordered, items }]);
      editor.commands.undo();
      expect(saved(editor)).toEqual(blocks);
    }
  });

  test('paragraphs between lists join both', () => {
    const editor = opened(list(['oak'], 2), paragraph('ash', 3), paragraph('elm'), list(['fir'], 4));
    select(editor, 'ash', 'elm');
    editor.commands.toggleBulletList();
    expect(saved(editor)).toEqual([list(['oak', 'ash', 'elm', 'fir'], 2)]);
    expect(shownHeights(editor)).toEqual({ oak: 2, ash: 2, elm: 2, fir: 2 });
  });

  test('bold that is on before the list stays on for the text that is typed next', () => {
    const editor = opened(paragraph(''), paragraph('oak'));
    editor.chain().setTextSelection(1).toggleBold().run();
    editor.commands.toggleBulletList();
    expect(editor.state.storedMarks?.map(({ type }) => type.name)).toEqual(['bold']);
  });
});
