import type { MaterialElement } from '@/lib/document/page-model';
import type { TrueScale } from '@/lib/document/true-scale';
import type { EditorStore } from '../editor-store';
import { importPicture } from '../pickers/material-pick';

/**
 * Copies the texture of a material on the open page into the project, and shows it in the material at a true scale,
 * even if the user opens another page in the meantime.
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
