import { type PageData, type PageInput, pageData } from '../page-model';
import { templateStyles } from '../styles/named-styles';
import { cells, cutTop, GAP_MM } from './areas';
import { asLine, cutHeading, imagePart, materialPart, orEmpty, textPart } from './parts';
import { MAX_TEMPLATE_IMAGES, type Template, type TemplateContent } from './template';

const MAX_MATERIALS = 12;
/** Aspect ratio (width by height) of a material's frame. */
const MATERIAL_ASPECT = 0.78;

const titleOf = (content: TemplateContent, fallback: string) => asLine(content.title, 120) || fallback;

function pageOf(id: string, title: string, elements: PageInput['elements']): PageData {
  return pageData.parse({ id, title, elements });
}

const blank: Template = {
  id: 'blank',
  name: 'Blank page',
  description: 'An empty page.',
  room: { images: 0, materials: 0 },
  make: (_, content, pageId) => pageOf(pageId, asLine(content.title, 120), []),
};

const titleAndText: Template = {
  id: 'text',
  name: 'Title and text',
  description: 'A heading with one column of text below.',
  room: { images: 0, materials: 0 },
  make: (paper, content, pageId) => {
    const title = titleOf(content, 'Title');
    const { heading, rest } = cutHeading(paper, title, { fontSize: 15, height: 16 });
    // Lines longer than 130 mm are hard to read.
    const column = { ...rest, w: Math.min(rest.w, 130) };
    return pageOf(pageId, title, [
      heading,
      textPart('body', column, content.text || 'Text', { fontSize: 11 }),
    ]);
  },
};

const moodboard: Template = {
  id: 'moodboard',
  name: 'Moodboard',
  description: 'Up to twelve images with the materials in a strip below.',
  room: { images: MAX_TEMPLATE_IMAGES, materials: MAX_MATERIALS },
  make: (paper, content, pageId) => {
    const title = titleOf(content, 'Moodboard');
    const { heading, rest } = cutHeading(paper, title);
    const images = orEmpty(content.images, MAX_TEMPLATE_IMAGES, 4);
    const materials = content.materials.slice(0, MAX_MATERIALS);
    const stripH = materials.length === 0 ? 0 : rest.h * (materials.length > 6 ? 0.4 : 0.27);
    const board = { ...rest, h: rest.h - stripH - (stripH > 0 ? GAP_MM : 0) };
    const strip = { ...rest, y: board.y + board.h + GAP_MM, h: stripH };
    return pageOf(pageId, title, [
      heading,
      ...cells(board, images.length, 4 / 3).map((area, index) =>
        imagePart(`image-${index + 1}`, area, images[index]),
      ),
      ...cells(strip, materials.length, MATERIAL_ASPECT).map((area, index) =>
        materialPart(`material-${index + 1}`, area, materials[index] && { ...materials[index], rows: [] }),
      ),
    ]);
  },
};

const schedule: Template = {
  id: 'materials',
  name: 'Material schedule',
  description: 'Up to twelve materials, each with its data.',
  room: { images: 0, materials: MAX_MATERIALS },
  make: (paper, content, pageId) => {
    const title = titleOf(content, 'Materials');
    const { heading, rest } = cutHeading(paper, title);
    const materials = orEmpty(content.materials, MAX_MATERIALS, 6);
    // Limit the height of the area if there are three or fewer materials. Otherwise each material would be too large.
    const area = materials.length <= 3 ? { ...rest, h: Math.min(rest.h, 90) } : rest;
    return pageOf(pageId, title, [
      heading,
      ...cells(area, materials.length, MATERIAL_ASPECT).map((cell, index) =>
        materialPart(`material-${index + 1}`, cell, materials[index]),
      ),
    ]);
  },
};

const imageSheet: Template = {
  id: 'image',
  name: 'Image sheet',
  description: 'One large image with its prompt and the materials that it shows.',
  room: { images: 1, materials: MAX_MATERIALS },
  make: (paper, content, pageId) => {
    const title = titleOf(content, 'Image');
    const { heading, rest } = cutHeading(paper, title);
    const [image] = content.images;
    const materials = content.materials.slice(0, MAX_MATERIALS);
    const landscape = rest.w > rest.h;
    const footH = materials.length === 0 ? 0 : rest.h * (materials.length > 6 && !landscape ? 0.36 : 0.26);
    const caption = asLine(content.text, 4000);
    // If the prompt is short, the title already contains all of it.
    const text = caption === title ? '' : caption;
    const textH = text === '' ? 0 : 16;
    const room = rest.h - (footH > 0 ? footH + GAP_MM : 0) - (textH > 0 ? textH + GAP_MM : 0);
    // Give the frame the image's own aspect ratio if it fits, to avoid empty space around the image.
    const h = image ? Math.min(room, (rest.w * image.height) / image.width) : room;
    const [picture, below] = cutTop(rest, Math.round(Math.max(h, 20) * 100) / 100);
    const [textArea, foot] = textH > 0 ? cutTop(below, textH) : [below, below];
    return pageOf(pageId, title, [
      heading,
      imagePart('image', picture, image, 'contain'),
      ...(textH > 0
        ? [
            textPart('words', textArea, text, {
              style: templateStyles.caption,
              fontSize: 9,
              color: '#5a6068',
            }),
          ]
        : []),
      ...cells({ ...foot, h: footH }, materials.length, MATERIAL_ASPECT).map((area, index) =>
        materialPart(`material-${index + 1}`, area, materials[index] && { ...materials[index], rows: [] }),
      ),
    ]);
  },
};

/** The templates for a new page. */
export const templates: readonly Template[] = [blank, titleAndText, moodboard, schedule, imageSheet];
/** The template for a page with one image, from the studio or the gallery, and without a schedule. */
export const imageTemplate = imageSheet;
/** The template for a page with several images from the gallery. It has room for `MAX_TEMPLATE_IMAGES` images. */
export const imagesTemplate = moodboard;
/** The template for a page made from selected materials. */
export const materialTemplate = schedule;
