'use client';

import type { PageElement } from '@/lib/export/document/page-model';
import type { ElementPatch } from '../change-elements';
import { useEditorContext } from '../use-editor';

export type ElementFields<Element extends PageElement> = {
  /** What all the elements have in a field; undefined where they differ. */
  value: <Key extends keyof Element>(key: Key) => Element[Key] | undefined;
  /** What a control of one field needs. */
  field: <Key extends keyof Element & keyof ElementPatch>(
    key: Key,
  ) => {
    value: Element[Key] | undefined;
    disabled: boolean;
    onChange: (value: Element[Key]) => void;
  };
  /** Changes all of them; what follows in the same fields is the same step of the history. */
  change: (patch: ElementPatch) => void;
  disabled: boolean;
};

/** The fields of the selected elements of one kind, as the inspector shows and changes them together. */
export function useElementFields<Element extends PageElement>(
  elements: readonly Element[],
): ElementFields<Element> {
  const { store, canEdit } = useEditorContext();
  const ids = elements.map(({ id }) => id);
  const disabled = !canEdit || elements.every(({ locked }) => locked);
  const value: ElementFields<Element>['value'] = (key) => {
    const [first, ...others] = elements;
    return first && others.every((element) => element[key] === first[key]) ? first[key] : undefined;
  };
  const change = (patch: ElementPatch) => {
    const group = `field ${Object.keys(patch).join()} ${ids.join()}`;
    store.dispatch({ type: 'elements-changed', ids, patch, group });
  };
  const field: ElementFields<Element>['field'] = (key) => ({
    value: value(key),
    disabled,
    onChange: (next) => change({ [key]: next }),
  });
  return { value, field, change, disabled };
}
