/** Limits for all pages of a document together, in addition to the limits of each field. */
export const documentBudget = {
  /** Table cells. Each row of a material element counts as two cells. */
  cells: 100_000,
  /** Paragraphs, headings, lists, list items and text runs. */
  textParts: 100_000,
  /** Characters of all text, including names, titles, labels, links, image paths and material ids. */
  characters: 2_000_000,
};
/** Limits for all masters of a document together. They are low, because every page can print a master. */
export const mastersBudget = { cells: 0, textParts: 500, characters: 10_000 };
type Weight = typeof documentBudget;

const names: Record<keyof Weight, string> = {
  cells: 'table cells',
  textParts: 'paragraphs, list items and runs of text',
  characters: 'characters of text',
};
const number = (value: number) => value.toLocaleString('en-US');
const kinds = Object.keys(documentBudget) as (keyof Weight)[];

/** The document budget as a sentence, for the API documentation. */
export const budgetText = `Over all pages at most ${kinds
  .map((kind) => `${number(documentBudget[kind])} ${names[kind]}`)
  .join(', ')}.`;

const counted = new Set(['text', 'link', 'title', 'name', 'label', 'value', 'alt', 'path', 'materialId']);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const members = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Counts the cells, text parts and characters of pages. The pages may have any structure, because this can run before
 * validation.
 */
function weigh(pages: unknown): Weight {
  const weight = { cells: 0, textParts: 0, characters: 0 };
  const words = (value: unknown) => {
    for (const [key, member] of Object.entries(members(value))) {
      if (typeof member === 'string' && counted.has(key)) weight.characters += member.length;
    }
  };
  const runs = (value: unknown) => {
    weight.textParts += 1 + list(value).length;
    for (const run of list(value)) words(run);
  };
  for (const page of list(pages)) {
    words(page);
    for (const element of list(members(page).elements)) {
      const { blocks, columns, rows } = members(element);
      words(element);
      for (const block of list(blocks)) {
        runs(members(block).runs);
        for (const item of list(members(block).items)) runs(item);
      }
      for (const column of list(columns)) words(column);
      for (const row of list(rows)) {
        words(row);
        weight.cells += Array.isArray(row) ? row.length : 2;
        for (const cell of list(row)) {
          if (typeof cell === 'string') weight.characters += cell.length;
          else words(cell);
        }
      }
    }
  }
  return weight;
}

/** Returns the error message for pages or masters over their budget, or null when they are within it. */
export function overBudget(pages: unknown, budget = documentBudget, scope = 'pages'): string | null {
  const weight = weigh(pages);
  const limits = kinds
    .filter((kind) => weight[kind] > budget[kind])
    .map((kind) => `at most ${number(budget[kind])} ${names[kind]} (this has ${number(weight[kind])})`);
  return limits.length > 0 ? `must have, over all ${scope}, ${limits.join(' and ')}` : null;
}
