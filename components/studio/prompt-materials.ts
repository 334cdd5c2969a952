import type { TrayMaterial } from '@/components/materials/tray-state';
import type { ImageJob, MaterialPayload } from '@/lib/image-gen/schema';

/** Converts a material from the library or the tray to a prompt's material. */
export function promptMaterial({ id, name, thumbnailUrl }: TrayMaterial): MaterialPayload & { id: string } {
  return { id, name, ...(thumbnailUrl ? { imageUrl: thumbnailUrl } : {}) };
}

/** Returns the materials of a job or prompt: those with details, then those that have only an id. */
export function materialsOf({
  materialIds,
  materialPayload,
}: Pick<ImageJob, 'materialIds' | 'materialPayload'>): MaterialPayload[] {
  const detailed = materialPayload.filter(({ id, name }) => id ?? name);
  const others = materialIds.filter((id) => !detailed.some((material) => material.id === id));
  return [...detailed, ...others.map((id) => ({ id }))];
}

/** Returns the request fields for these materials. */
export function materialFields(materials: MaterialPayload[]): {
  materialIds: string[];
  materialPayload: MaterialPayload[];
} {
  return { materialIds: materials.flatMap(({ id }) => id ?? []), materialPayload: materials };
}

export function materialName({ name, id }: MaterialPayload): string {
  return name ?? id ?? 'Unnamed material';
}
