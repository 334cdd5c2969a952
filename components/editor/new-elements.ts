import { newKey } from '@/hooks/new-key';
import { marginsOf } from '@/lib/document/margins';
import {
  type ImageElement,
  imageElement,
  type MaterialElement,
  materialElement,
  type PageData,
  pageData,
  type ShapeElement,
  shapeElement,
  type TableElement,
  type TextElement,
  tableElement,
  textElement,
} from '@/lib/document/page-model';
import { type SheetSize, sheetSize } from '@/lib/document/sheets';
import { templateStyles } from '@/lib/document/styles/named-styles';
import { type Area, cells, contentArea } from '@/lib/document/templates/areas';
import { rowsThatFit, textOfFixedSize } from '@/lib/document/templates/parts';
import type { Paper } from '@/lib/document/templates/template';
import { rounded } from './geometry/frames';

/** Returns a new id and a centered frame of this size (mm), scaled down proportionally if the page is smaller. */
function centeredBox(page: SheetSize, width: number, height: number) {
  const scale = Math.min(1, page.width / width, page.height / height);
  const [w, h] = [rounded(width * scale), rounded(height * scale)];
  return {
    id: newKey(),
    x: rounded((page.width - w) / 2),
    y: rounded((page.height - h) / 2),
    w,
    h,
  };
}

export function newPage(): PageData {
  return pageData.parse({ id: newKey(), elements: [] });
}

export function newMaster(title: string): PageData {
  return pageData.parse({ id: newKey(), title, inToc: false, footer: false, elements: [] });
}

/** Creates a line of text in the lower left or right corner of a master, aligned with the margin. */
export function newMasterText(paper: Paper, text: string, align: 'left' | 'right'): TextElement {
  const size = sheetSize(paper);
  const margin = marginsOf(paper.margin, size).page;
  const [w, h] = [rounded(Math.min(90, size.width / 2 - margin)), 6];
  const x = align === 'left' ? margin : size.width - margin - w;
  return textElement.parse({
    id: newKey(),
    type: 'text',
    ...{ x: rounded(x), y: rounded(size.height - 12), w, h },
    fontSize: 8,
    color: '#6a7078',
    valign: 'middle',
    align,
    blocks: [{ type: 'paragraph', runs: [{ text }] }],
  });
}

export function newText(page: SheetSize, text = 'New text'): TextElement {
  const blocks = [{ type: 'paragraph' as const, runs: [{ text }] }];
  return textElement.parse({
    ...centeredBox(page, 90, 20),
    type: 'text',
    grows: true,
    styleId: templateStyles.text.id,
    blocks,
  });
}

type NewImage = { imageId: string | null; path: string | null; width: number; height: number; alt: string };

/** Creates an image element centered in an area, at most half as wide and half as high as the page. */
function imageInArea({ x, y, w, h }: Area, page: SheetSize, image: NewImage): ImageElement {
  const { imageId, path, width, height, alt } = image;
  const scale = Math.min(Math.min(w, page.width / 2) / width, Math.min(h, page.height / 2) / height);
  const centered = centeredBox(
    { width: w, height: h },
    Math.max(width * scale, 1),
    Math.max(height * scale, 1),
  );
  const slot = { ...centered, x: rounded(x + centered.x), y: rounded(y + centered.y) };
  // The page model allows only one of `imageId` and `path`.
  return imageElement.parse({
    ...slot,
    type: 'image',
    imageId,
    path: imageId ? null : path,
    alt: alt.replace(/\s+/g, ' ').slice(0, 500),
  });
}

export function newImageFrame(page: SheetSize): ImageElement {
  return imageElement.parse({ ...centeredBox(page, 80, 60), type: 'image' });
}

/** Creates image elements in a grid within `area`, each at most half as wide and half as high as the page. */
export function newImages(
  page: SheetSize,
  images: readonly NewImage[],
  area = contentArea(page, null),
): ImageElement[] {
  const aspect = images.reduce((sum, { width, height }) => sum + width / height, 0) / images.length;
  const slots = cells(area, images.length, aspect);
  return images.flatMap((image, index) => {
    const slot = slots[index];
    return slot ? [imageInArea(slot, page, image)] : [];
  });
}

type NewMaterial = Pick<MaterialElement, 'materialId' | 'title'> &
  Partial<Pick<MaterialElement, 'imageId' | 'path' | 'swatch' | 'rows'>>;

/**
 * The maximum size of a new material in millimeters. It has room for the rows that `materialOf` creates, at most six.
 */
const MATERIAL = { w: 70, h: 90 };

/**
 * Creates material elements, each with the rows that fit. Several are placed in a grid within `area`; a single one is
 * centered on the page.
 */
export function newMaterials(
  page: SheetSize,
  materials: readonly NewMaterial[],
  area = contentArea(page, null),
): MaterialElement[] {
  const slots = cells(area, materials.length, MATERIAL.w / MATERIAL.h);
  return materials.flatMap((material, index) => {
    const slot = slots[index];
    if (!slot) return [];
    const [w, h] = [Math.min(slot.w, MATERIAL.w), Math.min(slot.h, MATERIAL.h)];
    const frame =
      materials.length === 1 ? centeredBox(page, w, h) : { id: newKey(), x: slot.x, y: slot.y, w, h };
    const rows = rowsThatFit(material.rows ?? [], h);
    return [materialElement.parse({ ...frame, type: 'material', ...textOfFixedSize, ...material, rows })];
  });
}

export function newTable(page: SheetSize): TableElement {
  return tableElement.parse({
    ...centeredBox(page, 150, 40),
    type: 'table',
    ...textOfFixedSize,
    columns: [{ label: 'Item' }, { label: 'Description', width: 2 }, { label: 'Amount', align: 'right' }],
    rows: [
      ['', '', ''],
      ['', '', ''],
      ['', '', ''],
    ],
  });
}

export function newShape(page: SheetSize, kind: ShapeElement['kind']): ShapeElement {
  const height = { rect: 40, ellipse: 40, line: 2 }[kind];
  const paint = kind === 'line' ? { stroke: '#1f2328', strokeWidth: 0.5 } : { fill: '#d8d4cc' };
  return shapeElement.parse({ ...centeredBox(page, 60, height), type: 'shape', kind, ...paint });
}
