import type { ProjectDocument } from '@/lib/export/schema';
import type { ImageSource, MaterialElement, PageData } from '../page-model';

/** The paper that a page is laid out for. */
export type Paper = Pick<ProjectDocument, 'format' | 'orientation'>;

/** An image to show, its size in pixels. */
export type TemplateImage = ImageSource & { width: number; height: number; alt: string };
export type TemplateMaterial = Pick<
  MaterialElement,
  'materialId' | 'title' | 'swatch' | 'rows' | 'imageId' | 'path'
>;

/** What a template is filled with; where there is nothing of a kind, it has empty frames to fill later. */
export type TemplateContent = {
  title: string;
  text: string;
  images: TemplateImage[];
  materials: TemplateMaterial[];
};

export type Template = {
  id: string;
  name: string;
  description: string;
  /** How many of each it has room for. */
  room: { images: number; materials: number };
  /** A new page under the given id, for this paper. More than it has room for is left out. */
  make: (paper: Paper, content: TemplateContent, pageId: string) => PageData;
};
