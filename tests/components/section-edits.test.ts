import { expect, test } from 'vitest';
import {
  draftOf,
  editedSections,
  editSections,
  isEdited,
  type SectionDraft,
  type SectionEdit,
} from '@/components/specs/sections/section-edits';

const section = (title: string, level = 1) => ({ title, page: 1, level, text: null });
const start = draftOf([section('A'), section('B', 2), section('C')]);
const apply = (draft: SectionDraft, ...edits: SectionEdit[]) => edits.reduce(editSections, draft);
const titles = ({ sections }: SectionDraft) =>
  sections.map(({ title, level }) => `${title}${level}`).join(' ');

test('sections can be changed, moved, added and removed', () => {
  expect(titles(apply(start, { type: 'change', key: 0, change: { title: 'X' } }))).toBe('X1 B2 C1');
  expect(titles(apply(start, { type: 'move', key: 2, by: -1 }))).toBe('A1 C1 B2');
  expect(titles(apply(start, { type: 'remove', key: 1 }))).toBe('A1 C1');
  const added = apply(start, { type: 'add', after: 1 }, { type: 'change', key: 3, change: { title: 'New' } });
  expect(titles(added)).toBe('A1 B2 New2 C1');
  expect(titles(apply(start, { type: 'add', after: null }))).toBe('A1 B2 C1 1');
});

test('a level stays between 1 and 20, and the first and the last section do not move out of the list', () => {
  expect(titles(apply(start, { type: 'change', key: 0, change: { level: 0 } }))).toBe('A1 B2 C1');
  expect(titles(apply(start, { type: 'change', key: 0, change: { level: 99 } }))).toBe('A20 B2 C1');
  expect(apply(start, { type: 'move', key: 0, by: -1 })).toBe(start);
  expect(apply(start, { type: 'move', key: 2, by: 1 })).toBe(start);
});

test('a change that changes nothing is not an edit', () => {
  const deepest = draftOf([section('A', 20)]);
  expect(apply(deepest, { type: 'change', key: 0, change: { level: 21 } })).toBe(deepest);
  expect(apply(start, { type: 'change', key: 0, change: { level: 0 } })).toBe(start);
  expect(apply(start, { type: 'change', key: 0, change: { page: 1, text: null } })).toBe(start);
});

test('undo reverts one edit at a time, and typing into one field counts as one edit', () => {
  const edited = apply(
    start,
    { type: 'remove', key: 1 },
    { type: 'change', key: 0, change: { title: 'X' } },
    { type: 'change', key: 0, change: { title: 'XY' } },
    { type: 'change', key: 0, change: { page: 7 } },
  );
  const undone = apply(edited, { type: 'undo' });
  expect(undone.sections[0]).toMatchObject({ title: 'XY', page: 1 });
  expect(titles(apply(undone, { type: 'undo' }))).toBe('A1 C1');
  expect(titles(apply(undone, { type: 'undo' }, { type: 'undo' }))).toBe('A1 B2 C1');
  expect(apply(start, { type: 'undo' })).toBe(start);
});

test('the text of a section can be edited and undone, and a blank text is saved as no text', () => {
  const typed = apply(
    start,
    { type: 'change', key: 1, change: { text: 'Oak' } },
    { type: 'change', key: 1, change: { text: 'Oak\n' } },
    { type: 'change', key: 2, change: { text: ' \n' } },
  );
  expect(editedSections(typed)).toEqual([section('A'), { ...section('B', 2), text: 'Oak' }, section('C')]);
  const undone = apply(typed, { type: 'undo' }, { type: 'undo' });
  expect(undone.sections[1]).toMatchObject({ title: 'B', text: null });
});

test('a draft counts as edited until all its edits are undone, also when there are more edits than undo steps', () => {
  const edits = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'move', key: 0, by: 1 }) as const);
  const undos = (count: number) => Array.from({ length: count }, () => ({ type: 'undo' }) as const);
  const many = draftOf(Array.from({ length: 200 }, (_, n) => section(String(n))));
  expect(isEdited(many)).toBe(false);
  expect(isEdited(apply(many, ...edits(2), ...undos(1)))).toBe(true);
  expect(isEdited(apply(many, ...edits(2), ...undos(2)))).toBe(false);
  expect(isEdited(apply(many, ...edits(101), ...undos(101)))).toBe(true);
});
