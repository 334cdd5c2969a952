import type { ProjectDocument } from '@/lib/document/schema';
import type { ImageSource, MaterialElement, PageData } from '../page-model';

/** The maximum number of images on a page made from a template. */
export const MAX_TEMPLATE_IMAGES = 12;

/** The paper and the margin of a page. */
export type Paper = Pick<ProjectDocument, 'format' | 'orientation' | 'customSize' | 'margin'>;
export type StyledPaper = Paper & Pick<ProjectDocument, 'styles'>;

/** An image with its size in pixels. Only some templates print the caption. */
export type TemplateImage = ImageSource & { width: number; height: number; alt: string; caption?: string };
export type TemplateMaterial = Pick<
  MaterialElement,
  'materialId' | 'title' | 'swatch' | 'rows' | 'imageId' | 'path'
>;

/** A material in a schedule. Unknown fields are empty. */
export type ScheduleRow = {
  name: string;
  maker: string;
  license: string;
  size: string;
  reference: string;
  /** Id of a picture of the material. The picture is shown above the material's name. */
  imageId?: string;
};

/**
 * The content of a page made from a template. For missing content, the page has an empty frame, placeholder text or
 * nothing.
 */
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
  make: (paper: StyledPaper, content: TemplateContent, pageId: string) => PageData;
};
