import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';

// Checks some of the requirements of ISO 14289-1 (PDF/UA-1). Clause numbers refer to that standard.

/** Element types of ISO 32000-1, 14.8.4. */
const TYPES = new Set(
  (
    'Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody ' +
    'Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby Warichu Figure Formula Form'
  ).split(' '),
);
/** The child types that each element type allows; types that are not listed allow any. */
const INNER: Record<string, string[]> = {
  L: ['LI', 'L', 'Caption'],
  LI: ['Lbl', 'LBody'],
  TOC: ['TOCI', 'TOC', 'Caption'],
  TOCI: ['Lbl', 'Reference', 'P', 'TOC', 'NonStruct'],
  Table: ['TR', 'THead', 'TBody', 'TFoot', 'Caption'],
  TR: ['TH', 'TD'],
};
/** The parent types that these element types require. `THead` and `TBody` are accepted as parents of all of them. */
const OUTER: Record<string, string> = { LI: 'L', LBody: 'LI', TOCI: 'TOC', TR: 'Table', TH: 'TR', TD: 'TR' };
const PAINTING = new Set('f f* F S s B B* b b* sh Do Tj TJ'.split(' '));

const name = (dict: PDFDict, key: string) => dict.lookupMaybe(PDFName.of(key), PDFName)?.decodeText() ?? '';
const words = (value: PDFObject | undefined) =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : '';

/**
 * Returns the marked-content ids of a tagged page or form, and adds any problems to `problems`. `forms` holds the names
 * of the forms that have their own tags.
 */
function markedIds(content: string, forms: ReadonlySet<string>, where: string, problems: string[]): number[] {
  const ids: number[] = [];
  const open: ('artifact' | 'content')[] = [];
  let outside = 0;
  for (const line of content.split('\n')) {
    const operator = /([A-Za-z]+\*?)$/.exec(line)?.[1] ?? '';
    if (operator === 'BDC' || operator === 'BMC') {
      const id = /\/MCID (\d+)/.exec(line)?.[1];
      const isReplacement = line.startsWith('/Span<</ActualText');
      if (open.length > 0 && !isReplacement) problems.push(`${where}: marked content is nested`);
      if (id !== undefined) ids.push(Number(id));
      open.push(line.startsWith('/Artifact') ? 'artifact' : 'content');
    } else if (operator === 'EMC') {
      if (!open.pop()) problems.push(`${where}: marked content ends twice`);
    } else if (operator === 'Do' && forms.has(line.split(' ')[0] ?? '')) {
      if (open.length > 0) problems.push(`${where}: tagged content is within other content (7.1)`);
    } else if (PAINTING.has(operator) && open.length === 0) outside += 1;
  }
  if (open.length > 0) problems.push(`${where}: marked content has no end`);
  if (outside > 0) problems.push(`${where}: ${outside} operators paint outside of tags and artifacts (7.1)`);
  return ids;
}

type Element = { type: string; dict: PDFDict; parent: string };

/** Returns the reasons why a PDF that the product made does not conform to PDF/UA-1. */
export function accessibilityProblems(document: PDFDocument): string[] {
  const problems: string[] = [];
  const { catalog, context } = document;
  const root = catalog.lookup(PDFName.of('StructTreeRoot'), PDFDict);
  const roles = root.lookupMaybe(PDFName.of('RoleMap'), PDFDict);
  const elements: Element[] = [];
  /**
   * Maps each piece of marked content and each annotation to the element that contains it. The key of marked content
   * consists of the page or form and the content id.
   */
  const claimed = new Map<string, PDFDict>();
  const typeOf = (dict: PDFDict) => {
    const own = name(dict, 'S');
    return roles ? name(roles, own) || own : own;
  };
  const visit = (dict: PDFDict, parent: string, page: PDFObject | undefined) => {
    const type = typeOf(dict);
    elements.push({ type, dict, parent });
    const on = dict.get(PDFName.of('Pg')) ?? page;
    const kids = dict.lookup(PDFName.of('K'));
    for (const entry of kids instanceof PDFArray ? kids.asArray() : kids ? [dict.get(PDFName.of('K'))] : []) {
      const kid = entry instanceof PDFRef ? context.lookup(entry) : entry;
      if (kid instanceof PDFNumber) claimed.set(`${on} ${kid.asNumber()}`, dict);
      else if (kid instanceof PDFDict && name(kid, 'Type') === 'MCR') {
        claimed.set(`${kid.get(PDFName.of('Stm'))} ${kid.lookup(PDFName.of('MCID'))}`, dict);
      } else if (kid instanceof PDFDict && name(kid, 'Type') === 'OBJR') {
        claimed.set(String(kid.get(PDFName.of('Obj'))), dict);
      } else if (kid instanceof PDFDict) {
        const inner = typeOf(kid);
        if (INNER[type] && !INNER[type].includes(inner)) problems.push(`${type} contains ${inner} (7.2)`);
        if (kid.lookup(PDFName.of('P')) !== dict) problems.push(`${inner} in ${type} has another parent`);
        visit(kid, type, on);
      }
      if (kid instanceof PDFNumber && INNER[type]) problems.push(`${type} contains content (7.2)`);
    }
  };
  visit(root.lookup(PDFName.of('K'), PDFDict), '', undefined);

  let depth = 0;
  for (const { type, dict, parent } of elements) {
    if (!TYPES.has(type)) problems.push(`${type} is no known type (7.1)`);
    if (OUTER[type] && parent !== OUTER[type] && !['THead', 'TBody'].includes(parent)) {
      problems.push(`${type} is in ${parent} (7.2)`);
    }
    if (type === 'Figure' && words(dict.lookup(PDFName.of('Alt'))) === '')
      problems.push('a figure has no description (7.3)');
    const level = Number(/^H([1-6])$/.exec(type)?.[1] ?? 0);
    if (level > depth + 1) problems.push(`H${level} follows ${depth ? `H${depth}` : 'no heading'} (7.4.2)`);
    if (level > 0) depth = level;
  }

  // The parent tree maps each piece of marked content and each annotation back to the element that contains it.
  const tree = root.lookup(PDFName.of('ParentTree'), PDFDict).lookup(PDFName.of('Nums'), PDFArray);
  const parents = new Map<number, PDFObject | undefined>();
  for (let at = 0; at < tree.size(); at += 2) {
    parents.set(tree.lookup(at, PDFNumber).asNumber(), tree.lookup(at + 1));
  }
  let ids = 0;
  const isTaggedForm = (value: PDFObject | undefined) =>
    value instanceof PDFRawStream &&
    name(value.dict, 'Subtype') === 'Form' &&
    value.dict.has(PDFName.of('StructParents'));
  const checkContent = (where: string, holder: PDFRef, dict: PDFDict, stream: PDFObject | undefined) => {
    if (!(stream instanceof PDFRawStream)) throw new Error(`${where} has no content.`);
    const content = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
    const shown = dict
      .lookupMaybe(PDFName.of('Resources'), PDFDict)
      ?.lookupMaybe(PDFName.of('XObject'), PDFDict);
    const forms = shown?.keys().filter((key) => isTaggedForm(shown.lookup(key))) ?? [];
    const key = dict.lookupMaybe(PDFName.of('StructParents'), PDFNumber)?.asNumber() ?? -1;
    const owners = parents.get(key);
    for (const id of markedIds(content, new Set(forms.map(String)), where, problems)) {
      const owner = owners instanceof PDFArray ? owners.lookup(id) : undefined;
      const claims = claimed.get(`${holder} ${id}`);
      if (!claims || claims !== owner) problems.push(`${where}: content ${id} belongs to no element (7.1)`);
      ids += 1;
    }
  };
  for (const [ref, value] of context.enumerateIndirectObjects()) {
    if (value instanceof PDFRawStream && isTaggedForm(value))
      checkContent(`form ${ref}`, ref, value.dict, value);
  }
  for (const [index, page] of document.getPages().entries()) {
    const where = `page ${index + 1}`;
    checkContent(where, page.ref, page.node, page.node.lookup(PDFName.of('Contents')));
    for (const ref of page.node.Annots()?.asArray() ?? []) {
      const annotation = context.lookup(ref, PDFDict);
      if (words(annotation.lookup(PDFName.of('Contents'))) === '')
        problems.push(`${where}: a link has no description (7.18.5)`);
      const owner = parents.get(annotation.lookup(PDFName.of('StructParent'), PDFNumber).asNumber());
      const claims = claimed.get(String(ref));
      if (!claims || claims !== owner || typeOf(claims) !== 'Link')
        problems.push(`${where}: a link is in no Link (7.18.5)`);
      if (name(page.node, 'Tabs') !== 'S')
        problems.push(`${where}: its tab order is not that of the tags (7.18.3)`);
      ids += 1;
    }
  }
  if (claimed.size !== ids)
    problems.push(`${claimed.size - ids} pieces of content are claimed, but do not exist`);

  const metadata = catalog.lookup(PDFName.of('Metadata'));
  const xmp = metadata instanceof PDFRawStream ? Buffer.from(metadata.getContents()).toString('utf8') : '';
  const title = document.getTitle() ?? '';
  const escaped = title.replace(
    /[&<>"]/g,
    (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign]};`,
  );
  const language = words(catalog.lookup(PDFName.of('Lang')));
  if (!xmp.includes('<pdfuaid:part>1</pdfuaid:part>'))
    problems.push('the metadata does not name PDF/UA-1 (5)');
  if (!title || !xmp.includes(`xml:lang="x-default">${escaped}<`))
    problems.push('the metadata has no title (7.1)');
  if (!language || !xmp.includes(`<rdf:li>${language}</rdf:li>`))
    problems.push('the language is missing or not in the metadata (7.2)');
  const preferences = catalog.lookup(PDFName.of('ViewerPreferences'), PDFDict);
  if (String(preferences.get(PDFName.of('DisplayDocTitle'))) !== 'true')
    problems.push('the title is not shown (7.1)');
  const marks = catalog.lookup(PDFName.of('MarkInfo'), PDFDict);
  if (String(marks.get(PDFName.of('Marked'))) !== 'true') problems.push('it is not marked as tagged (6.2)');
  return problems;
}
