import { z } from 'zod';
import { assetId, assetType, type SearchItem } from '@/lib/matlib/schema';

/** Maximum number of materials in the tray: as many as fit on one document page. An image job accepts more. */
export const TRAY_SIZE = 12;

const trayMaterial = z.object({
  id: assetId,
  type: assetType,
  name: z.string().min(1).max(200),
  thumbnailUrl: z.url({ protocol: /^https?$/ }),
});
export type TrayMaterial = z.infer<typeof trayMaterial>;

export type Tray = {
  /** In the order in which they were added. */
  materials: TrayMaterial[];
  /**
   * A message about the last removal, and the materials that were in the tray before the removal. Null if there is
   * nothing to undo.
   */
  undo: { text: string; materials: TrayMaterial[] } | null;
};

export type TrayAction =
  | { type: 'picked'; material: TrayMaterial }
  | { type: 'removed'; id: string }
  | { type: 'cleared' }
  | { type: 'undone' }
  | { type: 'dismissed' };

export const emptyMaterialTray: Tray = { materials: [], undo: null };

/** Converts a search result to a tray material. */
export function trayMaterialOf({ id, type, name, thumbnail_url }: SearchItem): TrayMaterial {
  return { id, type, name: name.trim().slice(0, 200) || id, thumbnailUrl: thumbnail_url };
}

export function isPicked({ materials }: Tray, id: string): boolean {
  return materials.some((material) => material.id === id);
}

export function isFull({ materials }: Tray): boolean {
  return materials.length >= TRAY_SIZE;
}

/** Returns the next state of the tray, or the same object if nothing changes. */
export function trayReducer(tray: Tray, action: TrayAction): Tray {
  const { materials } = tray;
  switch (action.type) {
    case 'picked':
      if (isFull(tray) || isPicked(tray, action.material.id)) return tray;
      return { materials: [...materials, action.material], undo: null };
    case 'removed': {
      const removed = materials.find(({ id }) => id === action.id);
      if (!removed) return tray;
      return {
        materials: materials.filter((material) => material !== removed),
        undo: { text: `${removed.name} was removed.`, materials },
      };
    }
    case 'cleared':
      if (materials.length === 0) return tray;
      return { materials: [], undo: { text: 'The tray was cleared.', materials } };
    case 'undone':
      return tray.undo ? { materials: tray.undo.materials, undo: null } : tray;
    case 'dismissed':
      return tray.undo ? { ...tray, undo: null } : tray;
  }
}

/** Serializes the materials of the tray as JSON. */
export function writeTray({ materials }: Tray): string {
  return JSON.stringify(materials);
}

/** Parses a stored tray. Skips invalid and duplicate materials, and those beyond `TRAY_SIZE`. */
export function readTray(text: string | null): Tray {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '[]');
  } catch {
    return emptyMaterialTray;
  }
  const materials = (Array.isArray(kept) ? kept : []).flatMap(
    (value) => trayMaterial.safeParse(value).data ?? [],
  );
  const byId = new Map(materials.map((material) => [material.id, material]));
  return { materials: [...byId.values()].slice(0, TRAY_SIZE), undo: null };
}
