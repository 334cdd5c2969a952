import type { SvgElement } from './parse-svg';
import { SvgRefusal } from './svg-refusal';

/** Style properties as name-value pairs, in the order in which they apply. */
export type Declarations = [string, string][];
type Rule = { selector: string; declarations: Declarations };

const MAX_RULES = 1_000;
/** Matches a class, id or element name selector. */
const simpleSelector = /^[.#]?[\w-]{1,100}$/;
const notSupported = () =>
  new SvgRefusal('The SVG has styles that are not supported. Save it with inline styles.');

/** Parses the content of a `style` attribute or of a rule. Throws SvgRefusal if it is malformed. */
export function parseDeclarations(text: string): Declarations {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf(':');
      if (at <= 0) throw notSupported();
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
    });
}

function withoutComments(css: string): string {
  let rest = css;
  let kept = '';
  for (let start = rest.indexOf('/*'); start >= 0; start = rest.indexOf('/*')) {
    const end = rest.indexOf('*/', start + 2);
    if (end < 0) throw notSupported();
    kept += rest.slice(0, start);
    rest = rest.slice(end + 2);
  }
  return kept + rest;
}

const specificity = ({ selector }: Rule) => (selector.startsWith('#') ? 2 : selector.startsWith('.') ? 1 : 0);

/**
 * Parses the rules of `style` elements and returns them in the order in which they apply. Supports only the selectors
 * that drawing programs write: classes, ids and element names. Throws SvgRefusal for anything else, such as `@import`.
 */
export function parseStyles(css: string): Rule[] {
  const blocks = withoutComments(css)
    .split('}')
    .filter((block) => block.trim() !== '');
  if (blocks.length > MAX_RULES) throw notSupported();
  const rules = blocks.flatMap((block) => {
    const [selectors = '', body, ...more] = block.split('{');
    if (body === undefined || more.length > 0) throw notSupported();
    const declarations = parseDeclarations(body);
    return selectors.split(',').map((given) => {
      const selector = given.trim();
      if (!simpleSelector.test(selector)) throw notSupported();
      return { selector, declarations };
    });
  });
  if (rules.length > MAX_RULES) throw notSupported();
  return rules.sort((a, b) => specificity(a) - specificity(b));
}

/** Groups rules by selector, so that finding an element's rules does not require a search through all rules. */
export function rulesBySelector(rules: readonly Rule[]): Map<string, { at: number; rule: Rule }[]> {
  const found = new Map<string, { at: number; rule: Rule }[]>();
  for (const [at, rule] of rules.entries()) {
    found.set(rule.selector, [...(found.get(rule.selector) ?? []), { at, rule }]);
  }
  return found;
}

/**
 * Returns the declarations that apply to an element: those of matching rules, then those of its `style` attribute. A
 * later declaration overrides an earlier one.
 */
export function declarationsFor(
  { name, attributes }: SvgElement,
  rules: ReturnType<typeof rulesBySelector>,
): Declarations {
  const classes = (attributes.get('class') ?? '').split(/\s+/).slice(0, 20);
  const selectors = [name, `#${attributes.get('id')}`, ...classes.map((each) => `.${each}`)];
  const own = parseDeclarations(attributes.get('style') ?? '');
  const applied = selectors.flatMap((selector) => rules.get(selector) ?? []).sort((a, b) => a.at - b.at);
  return [...applied.flatMap(({ rule }) => rule.declarations), ...own];
}
