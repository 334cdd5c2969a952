import type { z } from 'zod';
import { freshId } from '@/lib/document/fresh-ids';
import { isStyled, styleValues, withOverridden } from '@/lib/document/styles/apply-styles';
import {
  documentColors,
  documentStyles,
  type NamedColor,
  type ParagraphStyle,
} from '@/lib/document/styles/named-styles';
import { withoutUndefined } from '@/lib/document/without-undefined';
import { type Change, type EditorSnapshot, openPage, withElements } from './editor-change';

export type StylePatch = Partial<Omit<ParagraphStyle, 'id'>>;
export type NamedColorPatch = Partial<Omit<NamedColor, 'id'>>;

function refusal(result: z.ZodSafeParseResult<unknown>, what: string): string | null {
  const issue = result.error?.issues[0];
  if (!issue) return null;
  // The path names a field of an item. It is empty if the list itself is too long.
  return issue.path.length > 0
    ? `The ${what}'s ${String(issue.path.at(-1))} ${issue.message}.`
    : `Documents ${issue.message}.`;
}

function withStyleList({ document }: EditorSnapshot, styles: ParagraphStyle[], message?: string): Change {
  const refused = refusal(documentStyles.safeParse(styles), 'style');
  return refused ? { refused } : { document: { ...document, styles }, message };
}

function withColorList({ document }: EditorSnapshot, colors: NamedColor[], message?: string): Change {
  const refused = refusal(documentColors.safeParse(colors), 'color');
  return refused ? { refused } : { document: { ...document, colors }, message };
}

function added<Item extends { id: string }>(items: readonly Item[], item: Item, at = items.length): Item[] {
  const id = freshId(item.id, new Set(items.map((other) => other.id)));
  return items.toSpliced(at, 0, { ...item, id });
}

/**
 * Returns the document after applying a style to elements of the open page or master and clearing their overrides.
 * Skips locked elements.
 */
function withStyleOf(
  snapshot: EditorSnapshot,
  ids: readonly string[],
  styleId: string,
): EditorSnapshot['document'] {
  const elements = openPage(snapshot)?.elements.map((element) =>
    ids.includes(element.id) && isStyled(element) && !element.locked
      ? withOverridden({ ...element, styleId }, [])
      : element,
  );
  return elements && ids.length > 0 ? withElements(snapshot, elements) : snapshot.document;
}

/**
 * Adds a style, by default at the end of the list, and applies it to the elements with the given `ids` on the open page
 * or master.
 */
export function addStyle(
  snapshot: EditorSnapshot,
  style: ParagraphStyle,
  at?: number,
  ids: readonly string[] = [],
): Change {
  const styles = added(snapshot.document.styles, style, at);
  const id = styles.find((each) => !snapshot.document.styles.includes(each))?.id ?? style.id;
  const document = withStyleOf(snapshot, ids, id);
  return withStyleList({ ...snapshot, document }, styles, `Style “${style.name}” was added.`);
}

/**
 * Changes the name or the values of a style. Elements that use the style get its new values, except for values that
 * they override.
 */
export function changeStyle(snapshot: EditorSnapshot, id: string, patch: StylePatch): Change {
  return withStyleList(
    snapshot,
    snapshot.document.styles.map((style) =>
      style.id === id ? withoutUndefined({ ...style, ...patch }) : style,
    ),
  );
}

/**
 * Sets a style's values to those of an element of the open page or master. Unless the element is locked, also applies
 * the style to the element and clears its overrides.
 */
export function updateStyle(snapshot: EditorSnapshot, id: string, elementId: string): Change {
  const element = openPage(snapshot)?.elements.find((other) => other.id === elementId);
  const style = snapshot.document.styles.find((other) => other.id === id);
  if (!element || !isStyled(element) || !style) return null;
  const next = withoutUndefined({ ...style, ...styleValues(element) });
  const document = withStyleOf(snapshot, [elementId], id);
  const styles = document.styles.map((other) => (other === style ? next : other));
  return withStyleList({ ...snapshot, document }, styles, `Style “${style.name}” was updated.`);
}

/** Removes a style. Elements that used it keep their values. */
export function removeStyle(snapshot: EditorSnapshot, id: string): Change {
  const removed = snapshot.document.styles.find((style) => style.id === id);
  if (!removed) return null;
  const styles = snapshot.document.styles.filter((style) => style !== removed);
  return withStyleList(snapshot, styles, `Style “${removed.name}” was deleted.`);
}

/** Adds a named color, by default at the end of the list. */
export function addColor(snapshot: EditorSnapshot, color: NamedColor, at?: number): Change {
  return withColorList(
    snapshot,
    added(snapshot.document.colors, color, at),
    `Color “${color.name}” was added.`,
  );
}

/** Changes a named color. Everything that uses the color changes with it. */
export function changeColor(snapshot: EditorSnapshot, id: string, patch: NamedColorPatch): Change {
  return withColorList(
    snapshot,
    snapshot.document.colors.map((color) => (color.id === id ? { ...color, ...patch } : color)),
  );
}

/** Removes a named color. Everything that used it looks the same as before. */
export function removeColor(snapshot: EditorSnapshot, id: string): Change {
  const removed = snapshot.document.colors.find((color) => color.id === id);
  if (!removed) return null;
  const colors = snapshot.document.colors.filter((color) => color !== removed);
  return withColorList(snapshot, colors, `Color “${removed.name}” was deleted.`);
}
