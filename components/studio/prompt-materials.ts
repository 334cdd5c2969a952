import type { TrayMaterial } from '@/components/materials/tray-state';
import type { ImageJob, MaterialPayload } from '@/lib/image-gen/schema';

/** Converts a material of the library or the tray to one of a prompt. */
export function promptMaterial({ id, name, thumbnailUrl }: TrayMaterial): MaterialPayload & { id: string } {
  return { id, name, ...(thumbnailUrl ? { imageUrl: thumbnailUrl } : {}) };
}

/** Returns the materials of a job or prompt: those with details, then those that only have an id. */
export function materialsOf({
  materialIds,
  materialPayload,
}: Pick<ImageJob, 'materialIds' | 'materialPayload'>): MaterialPayload[] {
  const detailed = materialPayload.filter(({ id, name }) => id ?? name);
  const others = materialIds.filter((id) => !detailed.some((material) => material.id === id));
  return [...detailed, ...others.map((id) => ({ id }))];
}

/** Returns the fields of a request for these materials. */
export function materialFields(materials: MaterialPayload[]): {
  materialIds: string[];
  materialPayload: MaterialPayload[];
} {
  return { materialIds: materials.flatMap(({ id }) => id ?? []), materialPayload: materials };
}

/** Returns the name of a material for people. */
export function materialName({ name, id }: MaterialPayload): string {
  return name ?? id ?? 'Unnamed material';
}
