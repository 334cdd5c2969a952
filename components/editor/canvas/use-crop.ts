import type { Point } from '@/lib/document/bounds';
import {
  type DocumentImage,
  type DocumentImages,
  type ImageElement,
  imageKey,
  type PageData,
  type PageElement,
} from '@/lib/document/page-model';
import { cropGroup } from '../editor-action';
import { cropOf, type Part, panned, shownPart, zoomedTo, zoomOf } from '../geometry/crop';
import { useDocumentImages, useEditor, useEditorContext } from '../use-editor';

/** The element that is being cropped, and its image. */
export type Cropped = { element: ImageElement; image: DocumentImage };

/**
 * Returns the image of an image element. Returns undefined for other elements, for empty frames, and for images that
 * are missing or not loaded yet.
 */
export function elementImageOf(element: PageElement, images: DocumentImages): DocumentImage | undefined {
  const key = element.type === 'image' ? imageKey(element) : null;
  return key === null ? undefined : images.get(key);
}

/**
 * Returns the element that is being cropped, with its image. Returns null if no element of the given page or master is
 * being cropped, or if the image is not loaded.
 */
export function useCropped({ elements }: PageData): Cropped | null {
  const images = useDocumentImages();
  const cropping = useEditor((state) => state.cropping?.id);
  const element = elements.find(({ id }) => id === cropping);
  const image = element && elementImageOf(element, images);
  return image && element.type === 'image' ? { element, image } : null;
}

const middle: Point = { x: 0.5, y: 0.5 };

/** Returns the part of an image that its frame shows, and functions that change it. */
export function useCrop({ element, image }: Cropped) {
  const { store } = useEditorContext();
  const full = shownPart(element, image, null);
  const part = shownPart(element, image, element.crop);
  const setPart = (next: Part) =>
    store.dispatch({
      type: 'elements-changed',
      ids: [element.id],
      patch: { crop: cropOf(next, full), fit: 'cover' },
      group: cropGroup(element.id),
    });
  /** Zooms around a point of the frame, and moves the image by fractions of the frame's sides. */
  const change = (from: Part, { zoom, at = middle, by }: { zoom: number; at?: Point; by?: Point }) => {
    const zoomed = zoomedTo(from, zoom, full, at);
    setPart(by ? panned(zoomed, { x: -by.x * zoomed.w, y: -by.y * zoomed.h }) : zoomed);
  };
  return { part, full, zoom: zoomOf(part, full), change, setPart };
}
