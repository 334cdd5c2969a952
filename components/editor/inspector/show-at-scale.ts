import type { MaterialElement } from '@/lib/document/page-model';
import type { TrueScale } from '@/lib/document/true-scale';
import type { EditorStore } from '../editor-store';
import { importPicture } from '../pickers/material-pick';

/**
 * Copies a material's texture into the project, then shows it in the material element `id` at the scale `trueScale`.
 * The element must be on the page or master that is open when the function is called. The user may open another page
 * before the copy is finished.
 */
export async function showAtScale(
  store: EditorStore,
  projectId: string,
  { id, materialId }: Pick<MaterialElement, 'id' | 'materialId'>,
  trueScale: TrueScale,
): Promise<void> {
  const { pageId, sheet } = store.get();
  const image = await importPicture(projectId, materialId, undefined, 'texture');
  const patch = { trueScale, imageId: image.id, path: null };
  store.dispatch({ type: 'elements-changed', ids: [id], patch, to: { pageId, sheet } });
}
