import type { ProjectDocument } from '@/lib/document/schema';
import type { ImageSource, MaterialElement, PageData } from '../page-model';

/** The paper of a page, with its margin. */
export type Paper = Pick<ProjectDocument, 'format' | 'orientation' | 'customSize' | 'margin'>;

/** An image with its size in pixels. Only some templates print the caption. */
export type TemplateImage = ImageSource & { width: number; height: number; alt: string; caption?: string };
export type TemplateMaterial = Pick<
  MaterialElement,
  'materialId' | 'title' | 'swatch' | 'rows' | 'imageId' | 'path'
>;

/** A material in a schedule. Unknown facts are empty. */
export type ScheduleRow = {
  name: string;
  maker: string;
  license: string;
  size: string;
  reference: string;
  /** A picture of the material, which is shown above its name. */
  imageId?: string;
};

/** The content for a template, which has empty frames for what is missing. */
export type TemplateContent = {
  title: string;
  text: string;
  images: TemplateImage[];
  materials: TemplateMaterial[];
  schedule?: ScheduleRow[];
};

export type Template = {
  id: string;
  name: string;
  description: string;
  /** The number of images and materials that the template has room for. */
  room: { images: number; materials: number };
  /** Makes a page with the given id for this paper. Content beyond `room` is left out. */
  make: (paper: Paper, content: TemplateContent, pageId: string) => PageData;
};
