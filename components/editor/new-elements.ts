import { newKey } from '@/hooks/new-key';
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
import type { SheetSize } from '@/lib/document/sheets';
import { rounded } from './geometry/frames';

/** A frame of this size (mm) centered on the page, scaled down proportionally if the page is smaller. */
function centred(page: SheetSize, width: number, height: number) {
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

export function newText(page: SheetSize, text = 'New text'): TextElement {
  const blocks = [{ type: 'paragraph' as const, runs: [{ text }] }];
  return textElement.parse({ ...centred(page, 90, 20), type: 'text', blocks });
}

/** An image element at most half as wide and half as high as the page, or an empty frame without `image`. */
export function newImage(
  page: SheetSize,
  image?: { imageId: string | null; path: string | null; width: number; height: number; alt: string },
): ImageElement {
  if (!image) return imageElement.parse({ ...centred(page, 80, 60), type: 'image' });
  const { imageId, path, width, height, alt } = image;
  const scale = Math.min(page.width / 2 / width, page.height / 2 / height);
  const place = centred(page, Math.max(width * scale, 1), Math.max(height * scale, 1));
  // The page model allows only one of `imageId` and `path`.
  return imageElement.parse({
    ...place,
    type: 'image',
    imageId,
    path: imageId ? null : path,
    alt: alt.replace(/\s+/g, ' ').slice(0, 500),
  });
}

type NewMaterial = Pick<MaterialElement, 'materialId' | 'title'> &
  Partial<Pick<MaterialElement, 'imageId' | 'path' | 'swatch' | 'rows'>>;

export function newMaterial(page: SheetSize, material: NewMaterial): MaterialElement {
  return materialElement.parse({ ...centred(page, 60, 75), type: 'material', ...material });
}

export function newTable(page: SheetSize): TableElement {
  return tableElement.parse({
    ...centred(page, 150, 40),
    type: 'table',
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
  return shapeElement.parse({ ...centred(page, 60, height), type: 'shape', kind, ...paint });
}
