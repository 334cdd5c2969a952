import type { EditorStore } from '../editor-store';
import { offerRestore } from '../offer-restore';

/** Deletes a paragraph style and shows a notification that can restore it. */
export function removeStyleFromKit(store: EditorStore, id: string): void {
  const { styles } = store.get().document;
  const at = styles.findIndex((style) => style.id === id);
  const style = styles[at];
  if (!style) return;
  store.dispatch({ type: 'style-removed', id });
  offerRestore(`removed style ${id}`, `Style “${style.name}” was deleted.`, () => {
    if (!store.get().document.styles.some((other) => other.id === id))
      store.dispatch({ type: 'style-added', style, at });
  });
}

/** Deletes a named color and shows a notification that can restore it. */
export function removeColorFromKit(store: EditorStore, id: string): void {
  const { colors } = store.get().document;
  const at = colors.findIndex((color) => color.id === id);
  const color = colors[at];
  if (!color) return;
  store.dispatch({ type: 'color-removed', id });
  offerRestore(`removed color ${id}`, `Color “${color.name}” was deleted.`, () => {
    if (!store.get().document.colors.some((other) => other.id === id))
      store.dispatch({ type: 'color-added', color, at });
  });
}
