'use client';

import { isSame } from '@/lib/document/merge/same-value';
import type { PageElement } from '@/lib/document/page-model';
import type { ElementPatch } from '../change-elements';
import { useEditorContext } from '../use-editor';

/** The names of the color fields that have a companion field for the id of a named color. */
type ColorKey<Element extends PageElement> = {
  [Key in keyof Element & string]: `${Key}Id` extends keyof Element ? Key : never;
}[keyof Element & string];

export type ElementFields<Element extends PageElement> = {
  /** Returns the value that a field has in all elements, or undefined if the elements have different values. */
  value: <Key extends keyof Element>(key: Key) => Element[Key] | undefined;
  /** The props of a control for one field. */
  field: <Key extends keyof Element & keyof ElementPatch>(
    key: Key,
  ) => {
    value: Element[Key] | undefined;
    disabled: boolean;
    onChange: (value: Element[Key]) => void;
  };
  /** The props of a control for a color field, which can refer to a named color. */
  colorField: <Key extends ColorKey<Element>>(
    key: Key,
  ) => {
    value: Element[Key] | undefined;
    colorId: string | undefined;
    disabled: boolean;
    onChange: (value: Element[Key], colorId: string | undefined) => void;
  };
  /** Changes all unlocked elements. Consecutive changes to the same fields are one undo step. */
  change: (patch: ElementPatch) => void;
  disabled: boolean;
};

/** Returns a change's undo group. Consecutive changes to the same fields of the same elements are one undo step. */
export function fieldGroup(patch: ElementPatch, ids: readonly string[]): string {
  return `field ${Object.keys(patch).join()} ${ids.join()}`;
}

/** Returns the value that a field has in all elements, or undefined if the elements have different values. */
export function commonValue<Element extends object, Key extends keyof Element>(
  [first, ...others]: readonly Element[],
  key: Key,
): Element[Key] | undefined {
  return first && others.every((element) => isSame(element[key], first[key])) ? first[key] : undefined;
}

/** Reads and changes the fields that the types of the selected elements have in common. */
export function useElementFields<Element extends PageElement>(
  elements: readonly Element[],
): ElementFields<Element> {
  const { store, canEdit } = useEditorContext();
  const ids = elements.map(({ id }) => id);
  const disabled = !canEdit || elements.every(({ locked }) => locked);
  const value: ElementFields<Element>['value'] = (key) => commonValue(elements, key);
  const change = (patch: ElementPatch) => {
    store.dispatch({ type: 'elements-changed', ids, patch, group: fieldGroup(patch, ids) });
  };
  const field: ElementFields<Element>['field'] = (key) => ({
    value: value(key),
    disabled,
    onChange: (next) => change({ [key]: next }),
  });
  const colorField: ElementFields<Element>['colorField'] = (key) => {
    const idKey = `${key}Id`;
    const colorIds = new Set(elements.map((element) => new Map(Object.entries(element)).get(idKey)));
    const [colorId] = colorIds;
    return {
      value: value(key),
      colorId: colorIds.size === 1 && typeof colorId === 'string' ? colorId : undefined,
      disabled,
      onChange: (next, nextId) => change({ [key]: next, [idKey]: nextId }),
    };
  };
  return { value, field, colorField, change, disabled };
}
