import type { Section } from '@/lib/specs/sections/schema';

/** A section being edited. The key stays the same when the section moves. */
export type DraftSection = Section & { key: number };

/**
 * The state of the section editor. `past` holds the earlier states of `sections` that undo can restore. `typing` names
 * the field that the last edit changed, so that further changes to that field become part of the same undo step. It is
 * null if the last edit did not change a field.
 */
export type SectionDraft = {
  sections: DraftSection[];
  original: DraftSection[];
  past: DraftSection[][];
  nextKey: number;
  typing: string | null;
};

export type SectionEdit =
  | { type: 'change'; key: number; change: Partial<Section> }
  | { type: 'add'; after: number | null }
  | { type: 'remove'; key: number }
  | { type: 'move'; key: number; by: 1 | -1 }
  | { type: 'undo' };

const MAX_UNDO = 100;
export const MAX_SECTION_LEVEL = 20;

/** Returns an unedited draft of these sections. */
export function draftOf(sections: Section[]): SectionDraft {
  const original = sections.map((section, key) => ({ ...section, key }));
  return {
    sections: original,
    original,
    past: [],
    nextKey: sections.length,
    typing: null,
  };
}

/**
 * Returns whether a draft has edits that were not undone. Only the last `MAX_UNDO` steps can be undone, so a draft with
 * more steps always counts as edited.
 */
export const isEdited = ({ sections, original }: SectionDraft) => sections !== original;

/** Returns the sections to save. Omits `key`, trims `text`, and replaces a blank `text` with null. */
export function editedSections({ sections }: SectionDraft): Section[] {
  return sections.map(({ key: _, ...section }) => ({ ...section, text: section.text?.trim() || null }));
}

function edited(draft: SectionDraft, sections: DraftSection[], nextKey = draft.nextKey): SectionDraft {
  const past = [...draft.past, draft.sections].slice(-MAX_UNDO);
  return { ...draft, sections, past, nextKey, typing: null };
}

/** Applies an edit to a draft. Returns the same draft if the edit changes nothing. */
export function editSections(draft: SectionDraft, edit: SectionEdit): SectionDraft {
  const { sections, past, nextKey } = draft;
  if (edit.type === 'undo') {
    const last = past.at(-1);
    return last ? { ...draft, sections: last, past: past.slice(0, -1), typing: null } : draft;
  }
  if (edit.type === 'add') {
    const at = sections.findIndex(({ key }) => key === edit.after);
    const before = sections[at];
    const added = {
      title: '',
      page: before?.page ?? null,
      level: before?.level ?? 1,
      text: null,
      key: nextKey,
    };
    return edited(draft, sections.toSpliced(at < 0 ? sections.length : at + 1, 0, added), nextKey + 1);
  }
  const at = sections.findIndex(({ key }) => key === edit.key);
  const section = sections[at];
  if (!section) return draft;
  if (edit.type === 'remove') return edited(draft, sections.toSpliced(at, 1));
  if (edit.type === 'change') {
    const level = Math.min(Math.max(edit.change.level ?? section.level, 1), MAX_SECTION_LEVEL);
    const change = { ...edit.change, level };
    if (Object.entries(change).every(([field, value]) => section[field as keyof Section] === value))
      return draft;
    const changed = sections.with(at, { ...section, ...change });
    const typing = `${edit.key} ${Object.keys(edit.change).join(' ')}`;
    return typing === draft.typing ? { ...draft, sections: changed } : { ...edited(draft, changed), typing };
  }
  const to = at + edit.by;
  if (to < 0 || to >= sections.length) return draft;
  return edited(draft, sections.toSpliced(at, 1).toSpliced(to, 0, section));
}
