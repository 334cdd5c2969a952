import { SaxesParser, type SaxesTagNS } from 'saxes';
import { SvgRefusal } from './svg-refusal';

/** An element in the SVG namespace. */
export type SvgElement = {
  name: string;
  attributes: Map<string, string>;
  children: SvgElement[];
  /** The text directly within the element. */
  text: string;
};

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const MAX_NODES = 5_000;
const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 64;

/**
 * Returns the attributes that have no namespace, and `xlink:href` as `href`. Drops other attributes, such as those that
 * drawing programs add, because they do not affect the drawing.
 */
function attributesOf(tag: SaxesTagNS): Map<string, string> {
  const attributes = Object.values(tag.attributes);
  if (attributes.length > MAX_ATTRIBUTES) throw new SvgRefusal('An element has too many attributes.');
  const linked = attributes.filter(({ local, uri }) => uri === XLINK && local === 'href');
  const own = attributes.filter(({ uri }) => uri === '');
  // `href` overrides `xlink:href` (SVG 2).
  return new Map([...linked, ...own].map(({ local, value }) => [local, value]));
}

/**
 * Parses XML and returns its root element. Skips elements in other namespaces, which drawing programs add. Throws
 * SvgRefusal if the XML is not well-formed, defines entities, has a processing instruction, has too many elements,
 * levels or attributes, or is not an SVG.
 */
export function parseSvg(xml: string): SvgElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: (SvgElement | null)[] = [];
  let root: SvgElement | null = null;
  let nodes = 0;
  const refuse = (why: string) => {
    throw new SvgRefusal(why);
  };
  parser.on('error', () => refuse('The SVG is not well-formed XML.'));
  // Accept a DOCTYPE without definitions, because it is harmless and older programs write one. It is not kept.
  parser.on('doctype', (text) => {
    if (text.includes('[')) refuse('The SVG defines entities.');
  });
  parser.on('processinginstruction', () => refuse('The SVG has a processing instruction.'));
  parser.on('opentag', (tag) => {
    nodes += 1;
    if (nodes > MAX_NODES) refuse(`The SVG has more than ${MAX_NODES} elements.`);
    if (open.length >= MAX_DEPTH) refuse(`The SVG has more than ${MAX_DEPTH} levels of elements.`);
    const parent = open.at(-1);
    const isForeign = tag.uri !== SVG || parent === null;
    const element = isForeign
      ? null
      : { name: tag.local, attributes: attributesOf(tag), children: [], text: '' };
    if (element && parent) parent.children.push(element);
    if (open.length === 0) root = element;
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml).close();
  return svgRoot(root);
}

function svgRoot(root: SvgElement | null): SvgElement {
  if (root?.name !== 'svg') throw new SvgRefusal('The file is not an SVG.');
  return root;
}
