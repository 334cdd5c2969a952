/** The languages that the editor offers for a document, by BCP 47 tag. A document may also use any other tag. */
export const documentLanguages: Readonly<Record<string, string>> = {
  en: 'English',
  ar: 'Arabic',
  zh: 'Chinese',
  da: 'Danish',
  nl: 'Dutch',
  fi: 'Finnish',
  fr: 'French',
  de: 'German',
  he: 'Hebrew',
  it: 'Italian',
  ja: 'Japanese',
  ko: 'Korean',
  nb: 'Norwegian (Bokmål)',
  nn: 'Norwegian (Nynorsk)',
  pl: 'Polish',
  pt: 'Portuguese',
  es: 'Spanish',
  sv: 'Swedish',
};

/** The words that the app adds to a printed document. */
export type DocumentLabels = { contents: string; page: string };

const english = { contents: 'Contents', page: 'Page' };
/** The labels, keyed by primary language subtag. */
const labels = new Map<string, DocumentLabels>([
  ['en', english],
  ['da', { contents: 'Indhold', page: 'Side' }],
  ['de', { contents: 'Inhalt', page: 'Seite' }],
  ['es', { contents: 'Índice', page: 'Página' }],
  ['fi', { contents: 'Sisällys', page: 'Sivu' }],
  ['fr', { contents: 'Sommaire', page: 'Page' }],
  ['it', { contents: 'Indice', page: 'Pagina' }],
  ['nb', { contents: 'Innhold', page: 'Side' }],
  ['nl', { contents: 'Inhoud', page: 'Pagina' }],
  ['nn', { contents: 'Innhald', page: 'Side' }],
  ['no', { contents: 'Innhold', page: 'Side' }],
  ['pl', { contents: 'Spis treści', page: 'Strona' }],
  ['pt', { contents: 'Índice', page: 'Página' }],
  ['sv', { contents: 'Innehåll', page: 'Sida' }],
]);

/** Returns the labels in the language of a BCP 47 tag, or in English if there is no translation. */
export function documentLabels(language: string): DocumentLabels {
  return labels.get(language.toLowerCase().split('-')[0] ?? '') ?? english;
}
