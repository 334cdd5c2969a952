import { z } from 'zod';
import { countOf } from '@/components/format/count';
import { documentLanguages } from '@/lib/document/document-labels';
import type { Conflict } from '@/lib/document/merge/conflict';
import { textBlock } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { type EditorDocument, numberAt } from '../editor-change';
import { elementLabel, plainText } from '../element-labels';
import { formatNames, paperLabel } from '../paper-label';

/** Labels of properties, mostly as in the settings panel. The label of any other property is its capitalized name. */
const names: Record<string, string> = {
  x: 'X',
  y: 'Y',
  w: 'Width',
  h: 'Height',
  blocks: 'Text',
  fontSize: 'Text size',
  lineHeight: 'Line height',
  valign: 'Vertical alignment',
  align: 'Alignment',
  hyphenate: 'Hyphenation',
  grows: 'Grow with the text',
  alt: 'Description',
  materialId: 'Material',
  header: 'Header row',
  flowId: 'Continue on the next pages',
  lineColor: 'Line color',
  headerFill: 'Header fill',
  strokeWidth: 'Line width',
  stroke: 'Line color',
  radius: 'Corner radius',
  kind: 'Shape',
  inToc: 'Show in table of contents',
  footer: 'Title and page number in footer',
  format: 'Paper',
  includecover: 'Cover',
  includeToc: 'Table of contents',
  masterId: 'Master',
  layout: 'Image position',
  titleSize: 'Title size',
  styleId: 'Style',
  table: 'Columns and rows',
  groupId: 'Group',
};

const units: Record<string, string> = {
  x: ' mm',
  y: ' mm',
  w: ' mm',
  h: ' mm',
  padding: ' mm',
  margin: ' mm',
  strokeWidth: ' mm',
  radius: ' mm',
  rotation: ' °',
  fontSize: ' pt',
  titleSize: ' pt',
};

function propertyName(property: string): string {
  const [last = ''] = property.split('.').slice(-1);
  return names[last] ?? last.charAt(0).toUpperCase() + last.slice(1);
}

const texts = z.array(textBlock);
const box = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
const source = z.object({ imageId: z.string().nullable(), path: z.string().nullable() });
const colors = z.record(z.string(), z.string().nullish());
const paper = projectDocument.pick({ format: true, customSize: true });
const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119).trimEnd()}…` : text);

function describeValue(property: string, value: unknown): string {
  if (value === null || value === '') return 'None';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return `${Math.round(value * 100) / 100}${units[property.split('.').at(-1) ?? ''] ?? ''}`;
  if (property === 'language' && typeof value === 'string') return documentLanguages[value] ?? value;
  if (typeof value === 'string') return shorten(value);
  if (property === 'blocks') return shorten(plainText(texts.safeParse(value).data ?? [])) || 'None';
  const crop = box.safeParse(value).data;
  if (crop) return [crop.x, crop.y, crop.w, crop.h].map((part) => `${Math.round(part * 100)} %`).join(', ');
  const sheet = paper.safeParse(value).data;
  if (property === 'format' && sheet) {
    return sheet.format === 'custom'
      ? paperLabel({ ...sheet, orientation: 'portrait' })
      : formatNames[sheet.format];
  }
  const image = source.safeParse(value).data;
  if (image) return image.path?.split('/').at(-1) ?? (image.imageId ? 'An uploaded image' : 'None');
  // If either side uses a named color, the value is an object with the color and the id of the named color.
  const color = colors.safeParse(value).data?.[property.split('.').at(-1) ?? ''];
  if (color !== undefined) return color ?? 'None';
  return Array.isArray(value) ? countOf(value.length, property === 'columns' ? 'column' : 'row') : 'Changed';
}

export type ConflictDescription = { where: string; mine: string; theirs: string };

/**
 * Returns the label of the style or color that a property belongs to, such as `Style “Heading”`. Returns null if the
 * property belongs to neither a style nor a color.
 */
function describeNamed(property: string | null, documents: readonly EditorDocument[]): string | null {
  const [list, id] = property?.split('.') ?? [];
  if (list !== 'styles' && list !== 'colors') return null;
  const items: { id: string; name: string }[] = documents.flatMap((document) => document[list]);
  const name = items.find((item) => item.id === id)?.name ?? '';
  return `${list === 'styles' ? 'Style' : 'Color'} “${name}”`;
}

/** Describes a conflict to the user: its location and the value on each side. */
export function describeConflict(
  { kind, list, pageId, elementId, property, ...values }: Conflict,
  versions: { mine: EditorDocument; theirs: EditorDocument },
): ConflictDescription {
  const documents = [versions.mine, versions.theirs];
  const named = describeNamed(property, documents);
  const locations = documents.flatMap((document) => {
    const page = list && document[list].find(({ id }) => id === pageId);
    if (!page) return [];
    const words = list === 'pages' ? `Page ${numberAt(document, document.pages.indexOf(page))}` : 'Master';
    return [{ page, words }];
  });
  const [location] = locations;
  const elements = locations.flatMap(({ page }) => page.elements);
  const element = elements.find(({ id }) => id === elementId);
  const parts = [
    location ? `${location.words}${location.page.title && ` “${location.page.title}”`}` : 'Document',
    property?.startsWith('cover.') ? 'Cover' : null,
    named,
    element ? elementLabel(element) : null,
    property === null || (named && kind === 'removal') ? null : propertyName(property),
  ];
  const describeSide = (value: unknown) => {
    if (kind === 'removal') return value === null ? 'Deleted' : 'Changed';
    const masters = [...versions.mine.masters, ...versions.theirs.masters];
    if (property === 'styleId')
      return documents.flatMap(({ styles }) => styles).find(({ id }) => id === value)?.name ?? 'None';
    if (property === 'masterId') return masters.find(({ id }) => id === value)?.title || 'None';
    if (property === 'groupId') return value ? 'In a group' : 'Not in a group';
    return describeValue(property ?? '', value);
  };
  return {
    where: parts.filter((part) => part !== null).join(' › '),
    mine: describeSide(values.mine),
    theirs: describeSide(values.theirs),
  };
}
