import { countOf } from '@/components/format/count';
import { readMaterialInfo } from '@/components/materials/material-calls';
import { asLine } from '@/lib/document/templates/parts';
import type { ScheduleRow, TemplateMaterial } from '@/lib/document/templates/template';
import { ApiError, callApi } from '@/lib/http/client';
import { assetId, type InfoResponse } from '@/lib/matlib/schema';
import { type ProjectImage, projectImage } from '@/lib/projects/schema';

/** A material for a document. `image` is the project's copy of the material's image, or null if there is no copy. */
export type MaterialPick = { material: TemplateMaterial; image: ProjectImage | null };

/** The id and name of a material. The name is shown if the library's data about the material is not available. */
export type MaterialName = { id: string; name: string };

/** The swatch color of a material whose color is unknown. */
const NO_COLOR = '#d8d4cc';
const IMPORTS_AT_ONCE = 3;

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

function sizeOf({ dimensions_mm }: InfoResponse): string | null {
  if (!dimensions_mm || dimensions_mm.length < 2) return null;
  const sides = dimensions_mm.slice(0, 3).map((side) => numbers.format(side / 10));
  return `${sides.join(' × ')} cm`;
}

const makerOf = ({ authors }: InfoResponse) => authors.map(({ name }) => name).join(', ');

/** Converts library data to a document material: title, swatch and rows of facts. */
export function materialOf(info: InfoResponse, image: Pick<ProjectImage, 'id'> | null): TemplateMaterial {
  const rows: [string, string | null][] = [
    ['Category', info.categories.slice(0, 4).join(', ') || null],
    ['Real size', sizeOf(info)],
    ['Author', makerOf(info) || null],
    ['License', info.available.license],
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

/** Converts library data to a schedule row. If `info` is null, the row contains only the name and id. */
function scheduleRowOf({ id, name }: MaterialName, info: InfoResponse | null): ScheduleRow {
  return {
    name: info?.name || name,
    maker: info ? makerOf(info) : '',
    license: info?.available.license ?? '',
    size: (info && sizeOf(info)) ?? '',
    reference: info?.available.page_url ?? id,
  };
}

/** Returns a document material with only a title and an id, for a material whose library data is unknown. */
function bareMaterial({ id, name }: MaterialName): TemplateMaterial {
  const title = asLine(name, 200) || id;
  return { materialId: asLine(id, 100), title, swatch: NO_COLOR, rows: [], imageId: null, path: null };
}

/** Copies a material's preview or repeating texture into the project. */
export function importPicture(
  projectId: string,
  materialId: string,
  signal?: AbortSignal,
  picture: 'preview' | 'texture' = 'preview',
): Promise<ProjectImage> {
  return callApi(`/api/projects/${projectId}/images/material`, {
    method: 'POST',
    body: { materialId, picture },
    schema: projectImage,
    signal,
  });
}

type ImportedMaterial = { pick: MaterialPick; isBare: boolean };

/**
 * Returns null if `error` is an error response other than 401 or 403. Rethrows any other error, such as that of a lost
 * connection.
 */
function orNothing(error: unknown): null {
  if (error instanceof ApiError && ![401, 403].includes(error.status)) return null;
  throw error;
}

async function importOne(
  projectId: string,
  name: MaterialName,
  signal?: AbortSignal,
): Promise<ImportedMaterial> {
  // A job can contain materials that are not from the library.
  if (!assetId.safeParse(name.id).success) {
    return { pick: { material: bareMaterial(name), image: null }, isBare: true };
  }
  const [info, image] = await Promise.all([
    readMaterialInfo(name.id, signal ?? new AbortController().signal).catch(orNothing),
    importPicture(projectId, name.id, signal).catch(orNothing),
  ]);
  if (info) return { pick: { material: materialOf(info, image), image }, isBare: image === null };
  const material = { ...bareMaterial(name), imageId: image?.id ?? null };
  return { pick: { material, image }, isBare: true };
}

/**
 * Reads materials for a document and copies their images into the project, because only project images are printed.
 * `note` is a message for the user if some materials lack an image or data, and otherwise null. Throws what `callApi`
 * throws if the connection is lost or the response is 401 or 403.
 */
export async function importMaterials(
  projectId: string,
  names: readonly MaterialName[],
  signal?: AbortSignal,
): Promise<{ picks: MaterialPick[]; note: string | null }> {
  const taken: ImportedMaterial[] = [];
  for (let from = 0; from < names.length; from += IMPORTS_AT_ONCE) {
    const some = names.slice(from, from + IMPORTS_AT_ONCE);
    taken.push(...(await Promise.all(some.map((name) => importOne(projectId, name, signal)))));
  }
  const bare = taken.filter(({ isBare }) => isBare).length;
  return {
    picks: taken.map(({ pick }) => pick),
    note:
      bare === 0
        ? null
        : `${countOf(bare, 'material has', 'materials have')} no image or data: the library could not provide them.`,
  };
}

/** Reads a material's data from the library. Returns null if the material is not in the library. */
async function readListed(id: string, signal?: AbortSignal): Promise<InfoResponse | null> {
  // A job can contain materials that are not from the library.
  if (!assetId.safeParse(id).success) return null;
  try {
    return await readMaterialInfo(id, signal ?? new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/**
 * Reads materials for a schedule. `missing` is the number of materials that are not in the library. If a material
 * cannot be read for another reason, throws what `callApi` throws.
 */
export async function readSchedule(
  names: readonly MaterialName[],
  signal?: AbortSignal,
): Promise<{ rows: ScheduleRow[]; missing: number }> {
  const infos = await Promise.all(names.map(({ id }) => readListed(id, signal)));
  return {
    rows: names.map((name, index) => scheduleRowOf(name, infos[index] ?? null)),
    missing: infos.filter((info) => info === null).length,
  };
}

/**
 * Copies pictures of materials into the project and returns the schedule's rows with these pictures. A row whose
 * material has no picture, or whose picture cannot be copied, stays the same. Throws what `callApi` throws if the
 * connection is lost or the response is 401 or 403.
 */
export async function withPictures(
  projectId: string,
  names: readonly MaterialName[],
  rows: readonly ScheduleRow[],
  signal?: AbortSignal,
): Promise<ScheduleRow[]> {
  const pictured: ScheduleRow[] = [];
  for (let from = 0; from < rows.length; from += IMPORTS_AT_ONCE) {
    const some = rows.slice(from, from + IMPORTS_AT_ONCE).map(async (row, index) => {
      const id = names[from + index]?.id ?? '';
      if (!assetId.safeParse(id).success) return row;
      const image = await importPicture(projectId, id, signal).catch(orNothing);
      return image ? { ...row, imageId: image.id } : row;
    });
    pictured.push(...(await Promise.all(some)));
  }
  return pictured;
}
