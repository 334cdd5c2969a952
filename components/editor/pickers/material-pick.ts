import { countOf } from '@/components/format/count';
import { readMaterialInfo } from '@/components/materials/material-calls';
import { asLine } from '@/lib/export/document/templates/parts';
import type { TemplateMaterial } from '@/lib/export/document/templates/template';
import { ApiError, callApi } from '@/lib/http/client';
import { assetId, type InfoAnswer } from '@/lib/matlib/schema';
import { type ProjectImage, projectImage } from '@/lib/projects/schema';

/** A material as a document takes it, with an address to show its picture from. */
export type MaterialPick = { material: TemplateMaterial; image: ProjectImage | null };

/** What the library calls it; only the id where it does not know it any more. */
export type MaterialName = { id: string; name: string };

/** Where the library has found out no colour yet. */
const NO_COLOR = '#d8d4cc';
const TAKEN_AT_ONCE = 3;

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function sizeOf({ dimensions_mm }: InfoAnswer): string | null {
  if (!dimensions_mm || dimensions_mm.length < 2) return null;
  const sides = dimensions_mm.slice(0, 3).map((side) => numbers.format(side / 10));
  return `${sides.join(' × ')} cm`;
}

/** What a document says of a material: its name, its colour and a few rows of data. */
export function materialOf(info: InfoAnswer, image: Pick<ProjectImage, 'id'> | null): TemplateMaterial {
  const rows: [string, string | null][] = [
    ['Category', info.categories.slice(0, 4).join(', ') || null],
    ['Real size', sizeOf(info)],
    ['Author', info.authors.map(({ name }) => name).join(', ') || null],
    ['Licence', info.available.license],
    ['Source', info.source.name],
    ['Reference', info.id],
  ];
  return {
    materialId: info.id,
    title: asLine(info.name, 200) || info.id,
    swatch: info.color ?? NO_COLOR,
    rows: rows.flatMap(([label, value]) => (value ? [{ label, value: asLine(value, 500) }] : [])),
    imageId: image?.id ?? null,
    path: null,
  };
}

/** A material of which only the name is known. */
function bareMaterial({ id, name }: MaterialName): TemplateMaterial {
  const title = asLine(name, 200) || id;
  return { materialId: asLine(id, 100), title, swatch: NO_COLOR, rows: [], imageId: null, path: null };
}

function takePicture(projectId: string, materialId: string, signal?: AbortSignal): Promise<ProjectImage> {
  return callApi(`/api/projects/${projectId}/images/material`, {
    method: 'POST',
    body: { materialId },
    schema: projectImage,
    signal,
  });
}

type Taken = { pick: MaterialPick; isBare: boolean };

async function takeOne(projectId: string, name: MaterialName, signal?: AbortSignal): Promise<Taken> {
  // A job may name materials that never came from the library.
  if (!assetId.safeParse(name.id).success) {
    return { pick: { material: bareMaterial(name), image: null }, isBare: true };
  }
  // A document can do without the picture, and without the data; not without the connection or the right to it.
  const orNothing = (error: unknown) => {
    if (error instanceof ApiError && ![401, 403].includes(error.status)) return null;
    throw error;
  };
  const [info, image] = await Promise.all([
    readMaterialInfo(name.id, signal ?? new AbortController().signal).catch(orNothing),
    takePicture(projectId, name.id, signal).catch(orNothing),
  ]);
  if (info) return { pick: { material: materialOf(info, image), image }, isBare: image === null };
  const material = { ...bareMaterial(name), imageId: image?.id ?? null };
  return { pick: { material, image }, isBare: true };
}

/**
 * Reads materials for a document and takes their pictures into the project, since only what lies there is printed.
 * `note` says in words what some of them lack. Throws like `callApi` where nothing can be had at all.
 */
export async function takeMaterials(
  projectId: string,
  names: readonly MaterialName[],
  signal?: AbortSignal,
): Promise<{ picks: MaterialPick[]; note: string | null }> {
  const taken: Taken[] = [];
  for (let from = 0; from < names.length; from += TAKEN_AT_ONCE) {
    const some = names.slice(from, from + TAKEN_AT_ONCE);
    taken.push(...(await Promise.all(some.map((name) => takeOne(projectId, name, signal)))));
  }
  const bare = taken.filter(({ isBare }) => isBare).length;
  return {
    picks: taken.map(({ pick }) => pick),
    note:
      bare === 0
        ? null
        : `${countOf(bare, 'material has', 'materials have')} no picture or data just now: the library could not give them.`,
  };
}
