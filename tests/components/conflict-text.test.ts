import { expect, test } from 'vitest';
import { describeConflict } from '@/components/editor/saving/conflict-text';
import { mergeDocuments } from '@/lib/document/merge/merge-documents';
import { type PageElement, pageElement } from '@/lib/document/page-model';
import { type DocumentContent, projectDocument } from '@/lib/document/schema';
import { paragraphStyle } from '@/lib/document/styles/named-styles';

const frame = { x: 10, y: 10, w: 40, h: 20 };
const words = (text: string) => [{ type: 'paragraph', runs: [{ text }] }];
const elements = (title: string, more: object = {}): PageElement[] => [
  pageElement.parse({ ...frame, id: 't', type: 'text', name: 'Lead', blocks: words(title), ...more }),
  pageElement.parse({
    ...frame,
    id: 'i',
    type: 'image',
    path: title === 'Old' ? null : `uploads/${title}.png`,
  }),
];
const documentOf = (pages: object[], more: object = {}): DocumentContent =>
  projectDocument.parse({ version: 1, pages, ...more });

test('a conflict about masters or the paper is described by their names', () => {
  const master = (name: string) => ({ id: 'm', title: name, elements: [] });
  const page = (masterId: string) => [{ id: 'p', masterId, elements: [] }];
  const base = documentOf(page('default'), { masters: [master('Plain')] });
  const mine = documentOf(page('m'), { masters: [master('Logo')], format: 'square' });
  const customSize = { width: 120, height: 80 };
  const theirs = documentOf(page('none'), { masters: [master('Letterhead')], format: 'custom', customSize });
  const { conflicts } = mergeDocuments(base, mine, theirs);
  expect(conflicts.map((conflict) => Object.values(describeConflict(conflict, { mine, theirs })))).toEqual([
    ['Document › Paper', 'Square', '120 × 80 mm'],
    ['Master “Logo” › Title', 'Logo', 'Letterhead'],
    ['Page 1 › Master', 'Logo', 'None'],
  ]);
});

test('a conflict about a master that has the id of a page is described as the master’s', () => {
  const titled = (title: string) =>
    documentOf([{ id: 'default', title: 'Hall', elements: [] }], {
      masters: [{ id: 'default', title, elements: [] }],
    });
  const [base, mine, theirs] = [titled('Plain'), titled('Logo'), titled('Letterhead')];
  const { conflicts } = mergeDocuments(base, mine, theirs);
  expect(conflicts.map((conflict) => describeConflict(conflict, { mine, theirs }).where)).toEqual([
    'Master “Logo” › Title',
  ]);
});

test('a conflict about a group says in which version the element is in a group', () => {
  const page = (groupId?: string) => [
    { id: 'p', elements: elements('Old', groupId === undefined ? {} : { groupId }) },
  ];
  const [base, mine, theirs] = [documentOf(page('one')), documentOf(page()), documentOf(page('two'))];
  const { conflicts } = mergeDocuments(base, mine, theirs);
  expect(conflicts.map((conflict) => Object.values(describeConflict(conflict, { mine, theirs })))).toEqual([
    ['Page 1 › Text: Lead › Group', 'Not in a group', 'In a group'],
  ]);
});

test('a conflict about a style or a color is described by its name', () => {
  const style = (more: object) => paragraphStyle.parse({ id: 's', name: 'Heading', ...more });
  const kit = (more: object, color = '#cc0000') => ({
    styles: [style(more)],
    colors: [{ id: 'red', name: 'Red', color }],
  });
  const page = (more: object) => [{ id: 'p', elements: elements('Old', more) }];
  const base = documentOf(page({}), kit({}));
  const mine = documentOf(page({ fill: '#111111' }), kit({ fontSize: 20 }, '#00cc00'));
  const theirs = documentOf(page({ styleId: 's', fill: '#222222' }), kit({ fontSize: 30 }, '#0000cc'));
  const { conflicts } = mergeDocuments(base, mine, theirs);
  expect(conflicts.map((conflict) => Object.values(describeConflict(conflict, { mine, theirs })))).toEqual([
    ['Document › Style “Heading” › Text size', '20 pt', '30 pt'],
    ['Document › Color “Red” › Color', '#00cc00', '#0000cc'],
    ['Page 1 › Text: Lead › Fill', '#111111', '#222222'],
  ]);
  const deleted = documentOf(page({}), { styles: [] });
  const removal = mergeDocuments(base, deleted, mine).conflicts;
  expect(
    removal.map((conflict) => Object.values(describeConflict(conflict, { mine: deleted, theirs: mine }))),
  ).toEqual([
    ['Document › Style “Heading”', 'Deleted', 'Changed'],
    ['Document › Color “Red”', 'Deleted', 'Changed'],
  ]);
});

test('each conflict is described by its place and the values of both sides', () => {
  const base = documentOf([
    { id: 'p', elements: elements('Old') },
    { id: 'q', elements: elements('Old') },
  ]);
  const mine = documentOf([{ id: 'p', title: 'Hall', elements: elements('Mine', { x: 12.345 }) }], {
    language: 'nb',
    cover: { title: 'Mine' },
  });
  const theirs = documentOf(
    [
      { id: 'p', inToc: false, elements: elements('Theirs', { x: 20 }) },
      { id: 'q', title: 'Loft', elements: elements('Old') },
    ],
    { language: 'sv', cover: { title: '', subtitle: 'Theirs' } },
  );
  const { conflicts } = mergeDocuments(base, mine, theirs);
  expect(conflicts.map((conflict) => Object.values(describeConflict(conflict, { mine, theirs })))).toEqual([
    ['Document › Language', 'Norwegian (Bokmål)', 'Swedish'],
    ['Page 1 “Hall” › Text: Lead › X', '12.35 mm', '20 mm'],
    ['Page 1 “Hall” › Text: Lead › Text', 'Mine', 'Theirs'],
    ['Page 1 “Hall” › Image › Image', 'Mine.png', 'Theirs.png'],
    ['Page 2 “Loft”', 'Deleted', 'Changed'],
  ]);
  const both = mergeDocuments(base, mine, documentOf(base.pages, { cover: { title: 'Theirs' } })).conflicts;
  expect(both.map((conflict) => Object.values(describeConflict(conflict, { mine, theirs })))).toEqual([
    ['Document › Cover › Title', 'Mine', 'Theirs'],
  ]);
});
