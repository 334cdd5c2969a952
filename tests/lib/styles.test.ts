import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EditorAction } from '@/components/editor/editor-action';
import { editorReducer } from '@/components/editor/editor-reducer';
import { openEditor } from '@/components/editor/editor-state';
import { fitPaper } from '@/components/editor/fit-paper';
import type { Choose } from '@/lib/document/merge/conflict';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import { canonicalText } from '@/lib/document/merge/same-value';
import { type PageInput, pageElement, styleField } from '@/lib/document/page-model';
import { type DocumentContent, type ProjectDocumentInput, projectDocument } from '@/lib/document/schema';
import { blockStyleOf, withStyles } from '@/lib/document/styles/apply-styles';
import { paragraphStyle, templateStyles } from '@/lib/document/styles/named-styles';
import { templates } from '@/lib/document/templates/templates';

const frame = { x: 10, y: 10, w: 40, h: 20 };
const text = (id: string, more: object = {}) => ({
  ...frame,
  id,
  type: 'text' as const,
  blocks: [{ type: 'paragraph' as const, runs: [{ text: 'Oak' }] }],
  ...more,
});
const shape = (id: string, more: object = {}) => ({
  ...frame,
  id,
  type: 'shape' as const,
  kind: 'rect' as const,
  ...more,
});
const table = {
  ...frame,
  id: 't',
  type: 'table' as const,
  columns: [{ label: 'A' }],
  rows: [],
  styleId: 'body',
};
const body = paragraphStyle.parse({ id: 'body', name: 'Body', font: 'Lora', fontSize: 14, bold: true });
const red = { id: 'red', name: 'Brand red', color: '#cc0000' };

function documentOf(
  elements: PageInput['elements'],
  more: Partial<ProjectDocumentInput> = {},
): DocumentContent {
  const { version: _, ...content } = projectDocument.parse({
    version: 1,
    pages: [{ id: 'p', elements }],
    ...more,
  });
  return withStyles(content);
}
const edited = (document: DocumentContent, ...actions: EditorAction[]): DocumentContent =>
  actions.reduce(editorReducer, openEditor(document)).document;
const patched = (id: string, patch: object): EditorAction => ({ type: 'elements-changed', ids: [id], patch });
const elementOf = ({ pages }: DocumentContent, id: string) =>
  pages.flatMap(({ elements }) => elements).find((element) => element.id === id);

describe('withStyles', () => {
  test('an element has the values of its style, except those that it overrides', () => {
    const own = { styleId: 'body', fontSize: 9, color: '#111111', overrides: ['fontSize'] };
    const document = documentOf([text('a', own), table, text('b')], { styles: [body] });
    expect(elementOf(document, 'a')).toMatchObject({
      font: 'Lora',
      fontSize: 9,
      bold: true,
      color: '#1f2328',
    });
    expect(elementOf(document, 't')).toMatchObject({ font: 'Lora', fontSize: 14 });
    expect(elementOf(document, 't')).not.toHaveProperty('bold');
    expect(elementOf(document, 'b')).toMatchObject({ font: null, fontSize: 11 });
  });

  test('everything with a named color has the value of that color, even if a style sets it', () => {
    const runs = [{ text: 'Oak', color: '#000000', colorId: 'red' }];
    const document = documentOf(
      [
        text('a', {
          styleId: 'body',
          fillId: 'red',
          blocks: [{ type: 'list', items: [runs], style: { id: 'body' } }],
        }),
        text('b', { blocks: [{ type: 'paragraph', runs: [], style: { id: 'gone', colorId: 'red' } }] }),
        shape('s', { strokeId: 'red' }),
        { ...table, styleId: undefined, headerFillId: 'red', lineColorId: 'red' },
        { ...frame, id: 'm', type: 'material', materialId: 'oak', title: 'Oak', swatchId: 'red' },
      ],
      {
        styles: [{ ...body, colorId: 'red' }],
        colors: [red],
        cover: { backgroundId: 'red' },
        masters: [{ id: 'default', backgroundId: 'red', elements: [] }],
      },
    );
    const found = JSON.stringify(document).match(/"\w+":"#cc0000"/g);
    expect(found?.sort()).toEqual(
      [
        ...['background', 'background', 'color', 'color', 'color', 'color', 'color', 'color'],
        ...['fill', 'headerFill', 'lineColor', 'stroke', 'swatch'],
      ].map((field) => `"${field}":"#cc0000"`),
    );
  });

  test('a paragraph has the values of its own style, regardless of the values of its element', () => {
    const blocks = [
      { type: 'paragraph', runs: [{ text: 'Oak' }], style: { id: 'body', fontSize: 50 } },
      { type: 'heading', level: 1, runs: [{ text: 'Elm' }], style: { id: 'gone', fontSize: 50 } },
      { type: 'paragraph', runs: [{ text: 'Ash' }] },
    ];
    const document = documentOf([text('a', { fontSize: 9, blocks })], { styles: [body] });
    expect(withStyles(document)).toBe(document);
    const element = elementOf(document, 'a');
    expect(element).toMatchObject({ fontSize: 9, font: null });
    const [paragraph, heading, plain] = element?.type === 'text' ? element.blocks : [];
    expect(paragraph?.style).toEqual(blockStyleOf(body));
    expect(paragraph?.style).toMatchObject({ id: 'body', font: 'Lora', fontSize: 14, bold: true });
    expect(heading?.style).toMatchObject({ id: 'gone', font: null, fontSize: 50 });
    expect(plain).not.toHaveProperty('style');
  });

  test('an element whose style or color no longer exists keeps its values', () => {
    const kept = {
      styleId: 'gone',
      font: 'Lora',
      fontSize: 20,
      color: '#123456',
      fill: '#654321',
      fillId: 'gone',
    };
    expect(elementOf(documentOf([text('a', kept)], { styles: [body], colors: [red] }), 'a')).toMatchObject(
      kept,
    );
  });

  test('applying styles again changes nothing, and unchanged pages stay the same objects', () => {
    const styleId = fc.constantFrom('body', 'gone', undefined);
    const overrides = fc.uniqueArray(fc.constantFrom(...styleField.options));
    const colorId = fc.constantFrom('red', 'gone', undefined);
    const element = fc.record({ styleId, overrides, colorId, fontSize: fc.integer({ min: 4, max: 40 }) });
    fc.assert(
      fc.property(element, colorId, (own, styleColor) => {
        const document = documentOf([text('a', own), shape('s')], {
          styles: [{ ...body, colorId: styleColor }],
          colors: [red],
        });
        expect(withStyles(document)).toBe(document);
        const found = elementOf(document, 'a');
        const isStyled = own.styleId === 'body';
        expect({ bold: undefined, ...found }).toMatchObject({
          fontSize: isStyled && !own.overrides.includes('fontSize') ? 14 : own.fontSize,
          lineHeight: 1.4,
          bold: isStyled && !own.overrides.includes('bold') ? true : undefined,
        });
        const shownId = isStyled && !own.overrides.includes('color') ? styleColor : own.colorId;
        expect(found).toMatchObject({ color: shownId === 'red' ? '#cc0000' : '#1f2328' });
      }),
    );
  });
});

describe('styles in the editor', () => {
  const start = documentOf([text('a', { styleId: 'body' }), text('b', { styleId: 'body' })], {
    styles: [body],
  });
  const resize: EditorAction = { type: 'style-changed', id: 'body', patch: { fontSize: 30 } };

  test('a change of a style changes everything that uses it, except overrides, which can be reset', () => {
    const changed = edited(start, patched('b', { fontSize: 9 }), resize);
    expect(elementOf(changed, 'a')).toMatchObject({ fontSize: 30 });
    expect(elementOf(changed, 'b')).toMatchObject({ fontSize: 9, overrides: ['fontSize'] });
    expect(elementOf(edited(changed, patched('b', { overrides: undefined })), 'b')).toMatchObject({
      fontSize: 30,
    });
  });

  test('a value that is set to the value of the style is not an override', () => {
    const back = edited(start, patched('a', { fontSize: 9 }), patched('a', { fontSize: 14 }));
    expect(elementOf(back, 'a')).not.toHaveProperty('overrides');
  });

  test('a style can take the values of an element, which changes the other elements with that style', () => {
    const updated = edited(start, patched('a', { fontSize: 9, align: 'center' }), {
      type: 'style-updated',
      id: 'body',
      elementId: 'a',
    });
    expect(updated.styles).toEqual([{ ...body, fontSize: 9, align: 'center' }]);
    expect(elementOf(updated, 'a')).not.toHaveProperty('overrides');
    expect(elementOf(updated, 'b')).toMatchObject({ fontSize: 9, align: 'center' });
  });

  test('elements keep the values of a deleted style, and changes in the meantime stay when the style is restored', () => {
    const deleted = edited(start, resize, { type: 'style-removed', id: 'body' });
    expect(elementOf(deleted, 'a')).toMatchObject({ fontSize: 30, styleId: 'body' });
    const restored = edited(deleted, patched('a', { bold: false }), { type: 'style-added', style: body });
    expect(elementOf(restored, 'a')).toMatchObject({ fontSize: 14, bold: false });
    expect(elementOf(restored, 'b')).toMatchObject({ fontSize: 14, bold: true });
  });

  test('a new style is given to the chosen elements, with a free id', () => {
    const style = { ...body, name: 'Quote', fontSize: 20 };
    const added = edited(start, { type: 'style-added', style, ids: ['a'] });
    expect(added.styles.map(({ id }) => id)).toEqual(['body', 'body-2']);
    expect(elementOf(added, 'a')).toMatchObject({ styleId: 'body-2', fontSize: 20 });
    expect(elementOf(added, 'b')).toMatchObject({ styleId: 'body', fontSize: 14 });
  });

  test('a change of a named color changes everything that uses it, and deleting the color keeps its value there', () => {
    const named = documentOf([shape('s', { fillId: 'red' })], { colors: [red] });
    const blue: EditorAction = { type: 'color-changed', id: 'red', patch: { color: '#0000cc' } };
    expect(elementOf(edited(named, blue), 's')).toMatchObject({ fill: '#0000cc' });
    const deleted = edited(named, blue, { type: 'color-removed', id: 'red' });
    expect(elementOf(deleted, 's')).toMatchObject({ fill: '#0000cc', fillId: 'red' });
  });

  test('text with a style is scaled with its page when the paper changes, and has its size again after an undo', () => {
    const blocks = [{ type: 'paragraph', runs: [{ text: 'Oak', size: 10 }], style: { id: 'body' } }];
    const own = { styleId: 'body', fontSize: 9, overrides: ['fontSize'] };
    const styles = [body, templateStyles.heading];
    const start = documentOf(
      [text('a', { styleId: 'body' }), text('b', own), text('c', { blocks }), table, text('d')],
      { styles, masters: [{ id: 'default', elements: [text('m', { styleId: 'heading' })] }] },
    );
    const paper = {
      format: 'custom',
      orientation: 'portrait',
      customSize: { width: 420, height: 594 },
    } as const;
    const patch = fitPaper(start, paper, true);
    const scaled = edited(start, { type: 'document-changed', patch });
    const sizes = scaled.pages[0]?.elements.map((one) => 'fontSize' in one && one.fontSize);
    expect(sizes).toEqual([28, 18, 22, 28, 22]);
    expect(elementOf(scaled, 'a')).not.toHaveProperty('overrides');
    expect(elementOf(scaled, 'b')).toHaveProperty('overrides', ['fontSize']);
    expect(elementOf(scaled, 'c')).toMatchObject({
      blocks: [{ style: { fontSize: 28 }, runs: [{ size: 20 }] }],
    });
    expect(scaled.masters[0]?.elements).toMatchObject([{ fontSize: 25 }]);
    expect(scaled.styles).toEqual([
      { ...body, fontSize: 28 },
      { ...templateStyles.heading, fontSize: 25 },
    ]);
    expect(edited(start, { type: 'document-changed', patch }, { type: 'undone' })).toEqual(start);
    const kept = edited(start, { type: 'document-changed', patch: fitPaper(start, paper, false) });
    expect(kept).toEqual({ ...start, ...paper });
  });

  test('an invalid style or color is refused with a message', () => {
    const refused = (action: EditorAction) => editorReducer(openEditor(start), action).message;
    expect(refused({ type: 'style-changed', id: 'body', patch: { name: '' } })).toMatchObject({
      refused: true,
      text: "The style's name must not be empty.",
    });
    expect(refused({ type: 'color-added', color: { ...red, color: 'red' } })).toMatchObject({
      refused: true,
      text: "The color's color must be a color like #1f2328.",
    });
  });

  test('pages from templates and pasted elements take the styles of the document', () => {
    const heading = { ...templateStyles.heading, font: 'Jost' };
    const paper = { ...start, styles: [body, heading] };
    const content = { title: 'Lobby', text: 'A lobby', images: [], materials: [] };
    for (const template of templates.slice(1)) {
      const added = edited(paper, {
        type: 'pages-added',
        pages: [template.make(paper, content, 'new')],
        after: null,
      });
      expect(elementOf(added, 'heading'), template.name).toMatchObject({ font: 'Jost' });
    }
    const foreign = pageElement.parse(text('a', { styleId: 'body', fontSize: 50 }));
    expect(elementOf(edited(start, { type: 'pasted', elements: [foreign] }), 'a-2')).toMatchObject({
      fontSize: 14,
    });
  });
});

describe('merging styles', () => {
  const base = documentOf([text('a', { styleId: 'body' }), shape('s', { fillId: 'red' })], {
    styles: [body],
    colors: [red],
  });
  const size = (fontSize: number): EditorAction => ({
    type: 'style-changed',
    id: 'body',
    patch: { fontSize },
  });

  test('changes of different properties of a style are merged, and reach elements that the other side added', () => {
    const mine = edited(base, size(30));
    const theirs = edited(
      base,
      { type: 'style-changed', id: 'body', patch: { align: 'center' } },
      { type: 'elements-added', elements: [pageElement.parse(text('b', { styleId: 'body' }))] },
    );
    const { document, conflicts } = mergeDocuments(base, mine, theirs);
    expect(conflicts).toEqual([]);
    for (const id of ['a', 'b']) {
      expect(elementOf(document, id)).toMatchObject({ fontSize: 30, align: 'center' });
    }
  });

  test('different values of one property of a style are one conflict, not one per element', () => {
    const { document, conflicts } = mergeDocuments(base, edited(base, size(30)), edited(base, size(40)));
    expect(conflicts.map(({ property }) => property)).toEqual(['styles.body.fontSize']);
    expect(elementOf(document, 'a')).toMatchObject({ fontSize: 30 });
  });

  test('a change of a style reaches the paragraphs that the other side gave it, without a conflict', () => {
    const blocks = [{ type: 'paragraph', runs: [{ text: 'Oak' }], style: blockStyleOf(body) }];
    const mine = edited(base, patched('a', { styleId: undefined, blocks }));
    for (const [one, other] of [
      [mine, edited(base, size(30))],
      [edited(base, size(30)), mine],
    ] as const) {
      const { document, conflicts } = mergeDocuments(base, one, other);
      expect(conflicts).toEqual([]);
      expect(elementOf(document, 'a')).toMatchObject({ fontSize: 14, blocks: [{ style: { fontSize: 30 } }] });
    }
  });

  test('an override of one side is kept when the other side changes the style', () => {
    const mine = edited(base, patched('a', { fontSize: 9 }));
    for (const [one, other] of [
      [mine, edited(base, size(30))],
      [edited(base, size(30)), mine],
    ] as const) {
      const { document, conflicts } = mergeDocuments(base, one, other);
      expect(conflicts).toEqual([]);
      expect(elementOf(document, 'a')).toMatchObject({ fontSize: 9, overrides: ['fontSize'] });
    }
  });

  test('different new colors of one element are one conflict', () => {
    const mine = edited(base, patched('s', { fill: '#00ff00', fillId: undefined }));
    const theirs = edited(
      base,
      { type: 'color-added', color: { ...red, id: 'blue', color: '#0000ff' } },
      patched('s', { fill: '#0000ff', fillId: 'blue' }),
    );
    const { document, conflicts } = mergeDocuments(base, mine, theirs, () => 'theirs');
    expect(conflicts.map(({ property }) => property)).toEqual(['fill']);
    expect(elementOf(document, 's')).toMatchObject({ fill: '#0000ff', fillId: 'blue' });
  });

  test('a style that one side deleted and the other changed is a conflict that keeps the change', () => {
    const deleted = edited(base, { type: 'style-removed', id: 'body' });
    const { document, conflicts } = mergeDocuments(base, deleted, edited(base, size(30)));
    expect(conflicts).toMatchObject([{ kind: 'removal', property: 'styles.body', keeps: 'theirs' }]);
    expect(elementOf(document, 'a')).toMatchObject({ fontSize: 30 });
  });

  test('when both sides add the style for headings, there is one style for headings', () => {
    const { heading } = templateStyles;
    const sides = ['Jost', 'Lora'].map((font) =>
      edited(base, { type: 'style-added', style: { ...heading, font } }),
    );
    const [mine = base, theirs = base] = sides;
    const { document } = mergeDocuments(base, mine, theirs);
    expect(document.styles.map(({ id }) => id)).toEqual(['body', 'heading']);
    expect(mergeDocuments(base, theirs, mine).document).toEqual(document);
  });

  test('any two edits of styles merge to the same document in either order, with all styles applied', () => {
    const fontSize = fc.integer({ min: 10, max: 13 });
    const styleId = fc.constantFrom('body', 'heading', undefined);
    const id = fc.constantFrom('a', 'b');
    const someAction: fc.Arbitrary<EditorAction> = fc.oneof(
      fontSize.map(size),
      fc.tuple(id, fontSize).map(([each, value]) => patched(each, { fontSize: value })),
      fc.tuple(id, styleId).map(([each, value]) => patched(each, { styleId: value, overrides: undefined })),
      fontSize.map((value) => ({
        type: 'style-added' as const,
        style: { ...templateStyles.heading, fontSize: value },
      })),
      fc.constantFrom('#0000ff', '#00ff00').map((color) => ({
        type: 'color-changed' as const,
        id: 'red',
        patch: { color },
      })),
      fc.constantFrom<EditorAction>(
        { type: 'style-removed', id: 'body' },
        { type: 'color-removed', id: 'red' },
        { type: 'style-updated', id: 'body', elementId: 'a' },
        patched('a', { overrides: undefined }),
        patched('a', { color: '#cc0000', colorId: 'red' }),
        patched('s', { fill: '#000000', fillId: undefined }),
        patched('a', { blocks: [{ type: 'paragraph', runs: [], style: blockStyleOf(body) }] }),
        patched('b', {
          blocks: [{ type: 'list', ordered: true, items: [], style: blockStyleOf(templateStyles.heading) }],
        }),
        { type: 'elements-added', elements: [pageElement.parse(text('b', { styleId: 'body' }))] },
      ),
    );
    const someEdits = fc.array(someAction, { maxLength: 6 }).map((actions) => edited(base, ...actions));
    const byValue: Choose = ({ kind, mine, theirs, keeps }) => {
      if (kind === 'removal') return keeps;
      return canonicalText(mine ?? null) < canonicalText(theirs ?? null) ? 'mine' : 'theirs';
    };
    fc.assert(
      fc.property(someEdits, someEdits, (mine, theirs) => {
        const { document } = mergeDocuments(base, mine, theirs, byValue);
        expect(mergeDocuments(base, theirs, mine, byValue).document).toEqual(document);
        expect(withStyles(document)).toBe(document);
        expect(mergeDocuments(base, mine, structuredClone(base))).toEqual({ document: mine, conflicts: [] });
        expect(mergeDocuments(theirs, theirs, document)).toEqual({ document, conflicts: [] });
      }),
      { numRuns: 200 },
    );
  });
});
