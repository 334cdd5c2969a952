/** What all pages of a document may hold together; each field has bounds of its own besides. */
export const documentBudget = {
  /** Cells of tables, and rows of materials twice. */
  cells: 100_000,
  /** Paragraphs, headings, lists, items of lists, and runs of text. */
  textParts: 100_000,
  /** Of all texts, names, titles and links. */
  characters: 2_000_000,
};
type Weight = typeof documentBudget;

const names: Record<keyof Weight, string> = {
  cells: 'table cells',
  textParts: 'paragraphs, list items and runs of text',
  characters: 'characters of text',
};
const number = (value: number) => value.toLocaleString('en-US');
const kinds = Object.keys(documentBudget) as (keyof Weight)[];

/** The budget in words, for the documentation of the interface. */
export const budgetWords = `Over all pages at most ${kinds
  .map((kind) => `${number(documentBudget[kind])} ${names[kind]}`)
  .join(', ')}.`;

const counted = new Set(['text', 'link', 'title', 'name', 'label', 'value', 'alt', 'path', 'materialId']);

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const members = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Counts what pages hold; they may be of any form, since this comes before their fields are checked. */
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
        for (const cell of list(row)) if (typeof cell === 'string') weight.characters += cell.length;
      }
    }
  }
  return weight;
}

/** What is wrong with pages that hold more than a document may; null where they do not. */
export function overBudget(pages: unknown): string | null {
  const weight = weigh(pages);
  const said = kinds
    .filter((kind) => weight[kind] > documentBudget[kind])
    .map(
      (kind) => `at most ${number(documentBudget[kind])} ${names[kind]} (this has ${number(weight[kind])})`,
    );
  return said.length > 0 ? `must have, over all pages, ${said.join(' and ')}` : null;
}
