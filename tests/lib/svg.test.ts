import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { cleanSvg, MAX_SVG_BYTES, startsLikeXml } from '@/lib/storage/svg/clean-svg';
import { drawSvg } from '@/lib/storage/svg/svg-file';
import { SvgRefusal } from '@/lib/storage/svg/svg-refusal';

const NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const inSvg = (content: string, attributes = 'viewBox="0 0 100 50"') =>
  `<svg ${NS} ${attributes}>${content}</svg>`;
const clean = (text: string) => cleanSvg(Buffer.from(text));
const refusal = (text: string) => {
  try {
    return clean(text).svg;
  } catch (error) {
    if (error instanceof SvgRefusal) return error.message;
    throw error;
  }
};

/** A logo as a drawing program saves it: with a doctype, metadata, classes, a gradient, a clip path and a mask. */
const logo = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: a drawing program -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" ${NS} xmlns:ink="http://example.test/ink" x="0px" y="0px" width="40mm" height="20mm"
  viewBox="0 0 100 50" style="enable-background:new 0 0 100 50;" xml:space="preserve" ink:version="1">
  <title>A logo</title>
  <metadata><ink:data>anything</ink:data></metadata>
  <style type="text/css"><![CDATA[ /* colors */ .st0{fill:#6b345e;} .st1, .st2 { fill : url(#fade) } .st2{opacity:.5} ]]></style>
  <defs>
    <linearGradient id="fade" x1="0%" y1="0" x2="100%" y2="0" gradientTransform="rotate(20)">
      <stop offset="0" style="stop-color:#ffffff"/><stop offset="1" stop-color="rgb(0, 128, 255)"/>
    </linearGradient>
    <clipPath id="round"><circle cx="50" cy="25" r="24"/></clipPath>
    <mask id="half"><rect width="100" height="50" fill="white" fill-opacity="0.5"/></mask>
    <symbol id="dot" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1"/></symbol>
  </defs>
  <g clip-path="url(#round)" transform="translate(1 1) scale(.9,.9)">
    <rect class="st0" width="100" height="50"/>
    <path class="st1" d="M10,10h30v-5.5e0L60 40z" stroke="currentColor" stroke-width="2px"/>
    <polygon class="st2" points="0,0 10,20 20,0" mask="url('#half')"/>
    <use xlink:href="#dot" width="10" height="10"/>
  </g>
  <ink:guide position="1"/>
</svg>`;

describe('an SVG', () => {
  test('an SVG keeps its drawing and loses everything else', () => {
    const { svg, width, height } = clean(logo);
    expect([width, height]).toEqual([2048, 1024]);
    expect(svg).toContain('viewBox="0 0 100 50" width="2048" height="1024"');
    expect(svg).toContain('<rect width="100" height="50" fill="#6b345e"/>');
    expect(svg).toContain('points="0,0 10,20 20,0" mask="url(\'#half\')" fill="url(#fade)" opacity=".5"');
    expect(svg).toContain('<use href="#dot" width="10" height="10"/>');
    expect(svg).not.toMatch(/style|class|title|metadata|ink|DOCTYPE|<\?|<!--|space/);
  });

  test('an SVG is drawn as a PNG with its colors and its transparency', async () => {
    const svg = inSvg('<rect width="50" height="50" fill="#ff0000"/>');
    const { png, width, height } = await drawSvg(Buffer.from(svg), 'somebody');
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, 4]);
    expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect(data.at(-1)).toBe(0);
  });

  test('cleaning an SVG again does not change it', () => {
    const { svg } = clean(logo);
    expect(clean(svg).svg).toBe(svg);
  });

  test('an SVG has the proportions of its view box or, without one, those of its width and height', () => {
    expect(clean(inSvg('', 'width="10" height="40mm"'))).toMatchObject({ width: 512, height: 2048 });
    for (const size of [
      '',
      'width="100%" height="50%"',
      'viewBox="0 0 0 5"',
      'viewBox="0 0 1 200"',
      'viewBox="0 0 9"',
    ])
      expect(() => clean(inSvg('', size)), size).toThrow(SvgRefusal);
    expect(() => clean(inSvg('', ''))).toThrow(/has no size/);
  });

  test('href overrides xlink:href, in any order', () => {
    const shapes = '<defs><rect id="a" width="1" height="1"/><rect id="b" width="2" height="2"/></defs>';
    const xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"';
    const { svg } = clean(inSvg(`${shapes}<use ${xlink} href="#a" xlink:href="#b"/>`));
    expect(svg).toMatch(/<use [^>]*href="#a"/);
    expect(svg).not.toMatch(/<use [^>]*href="#b"/);
  });

  test('an SVG keeps the styles that apply in a browser: class rules override element rules, and inline styles override both', () => {
    const style = '<style>.a{fill:red} rect{fill:blue;stroke:lime} #i{stroke:navy}</style>';
    const { svg } = clean(
      inSvg(`${style}<rect id="i" class="b a" fill="gray"/><rect class="a" style="fill:teal"/>`),
    );
    expect(svg).toContain('<rect id="i" fill="red" stroke="navy"/><rect fill="teal" stroke="lime"/>');
  });
});

test.each([
  ['text', '<text>Studio</text>', /has text.*outlines/],
  ['a script', '<script>alert(1)</script>', /has a script/],
  ['an event handler', '<rect onload="alert(1)"/>', /has a script/],
  ['an embedded image', '<image href="data:image/png;base64,AA"/>', /embedded image/],
  ['an animation', '<rect><animate attributeName="x"/></rect>', /animated/],
  ['another document', '<foreignObject/>', /“foreignObject”/],
  ['a filter', '<filter id="f"/>', /“filter”/],
  ['a link', '<a href="https://example.test"/>', /“a”/],
  ['an external reference', '<use href="https://example.test/a.svg#b"/>', /another file/],
  ['an external fill', '<rect fill="url(https://example.test/#b)"/>', /another file/],
  ['a script as a reference', '<use xlink:href="javascript:alert(1)"/>', /another file/],
  ['an imported style', '<style>@import "https://example.test";</style>', /styles that are not supported/],
  ['an important style', '<rect style="fill:red!important"/>', /“fill”/],
  ['a dashed line', '<path d="M0 0h9" stroke-dasharray="0.0001"/>', /dashed/],
  ['a huge number', '<rect width="1e99"/>', /“width”/],
  ['an infinite path', '<path d="M0 0h1e9"/>', /“d”/],
  ['a huge number with a padded exponent', '<path d="M0 0h1e00009"/>', /“d”/],
  ['a reference to itself', '<g id="a"><use href="#a"/></g>', /refers to itself/],
  ['a mask of itself', '<mask id="a"><rect mask="url(#a)"/></mask>', /refers to itself/],
])('an SVG with %s is refused with the reason', (_, content, message) => {
  expect(refusal(inSvg(content))).toMatch(message);
});

test('an SVG whose references multiply its content is refused', () => {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `<g id="l${at + 1}">${`<use href="#l${at}"/>`.repeat(10)}</g>`,
  );
  expect(refusal(inSvg(`<rect id="l0"/>${levels.join('')}`))).toMatch(/too complex/);
  const chain = Array.from({ length: 4_000 }, (_, at) => `<g id="c${at + 1}"><use href="#c${at}"/></g>`);
  expect(refusal(inSvg(`<rect id="c0"/>${chain.join('')}`))).toMatch(/too complex|more than/);
});

test('a percent-encoded reference is refused, because its target would not be counted', () => {
  expect(refusal(inSvg('<rect id="ab" width="9" height="9"/><use href="#%61%62"/>'))).toContain('href');
  expect(refusal(inSvg('<rect fill="url(#%61)" width="9" height="9"/>'))).toContain('SVG');
});

test('references that are drawn into separate layers count as layers', () => {
  const target = '<defs><mask id="m"><rect/></mask><g id="r"><rect width="9" height="9"/></g></defs>';
  for (const use of ['<use href="#r" opacity=".5"/>', '<use href="#r" mask="url(#m)"/>']) {
    expect(refusal(inSvg(target + use.repeat(20)))).toContain('<use');
    expect(refusal(inSvg(target + use.repeat(250)))).toBe('The SVG is too complex.');
  }
});

test('a layer costs as much as the whole drawing is large', () => {
  const masked = (viewBox: string) => `<svg ${NS} viewBox="${viewBox}"><defs><mask id="m">
    <rect width="4000" height="4000" fill="#fff"/></mask></defs>
    ${'<g mask="url(#m)"><rect width="9" height="9"/></g>'.repeat(80)}</svg>`;
  expect(refusal(masked('0 0 4000 4000'))).toBe('The SVG is too complex.');
  expect(refusal(masked('0 0 4000 400'))).toContain('<g mask');
});

test('an SVG that takes too long to draw is refused, and the next one is drawn', async () => {
  const circles = '<circle cx="50" cy="25" r="50"/>'.repeat(100);
  const slow = inSvg(`<defs><g id="r">${circles}</g></defs>${'<use href="#r"/>'.repeat(190)}`);
  const drawn = drawSvg(Buffer.from(slow), 'somebody', { cpuSeconds: 1 });
  const next = drawSvg(Buffer.from(inSvg('<rect width="9" height="9"/>')), 'somebody');
  await expect(drawn).rejects.toThrow('The SVG takes too long to draw.');
  expect((await next).png.length).toBeGreaterThan(0);
});

test('an SVG with too many elements, levels, layers or bytes is refused', () => {
  expect(refusal(inSvg('<g/>'.repeat(5_001)))).toMatch(/5000 elements/);
  expect(refusal(inSvg(`${'<g>'.repeat(40)}${'</g>'.repeat(40)}`))).toMatch(/32 levels/);
  expect(refusal(inSvg('<g opacity=".5"><rect/></g>'.repeat(200)))).toMatch(/too complex/);
  expect(refusal(inSvg(`<path d="M0 0${'h1'.repeat(200_000)}"/>`))).toMatch(/256 KB/);
  const rules = `<style>.a{${'fill:red;'.repeat(900)}}</style>`;
  expect(refusal(inSvg(`${rules}${'<g class="a"/>'.repeat(4_000)}`))).toMatch(/too many styles/);
});

test.each([
  ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]><svg ${NS}/>`, /defines entities/],
  ['an unknown entity', inSvg('&a;'), /not well-formed/],
  ['a style sheet', `<?xml-stylesheet href="a.css"?><svg ${NS}/>`, /processing instruction/],
  ['an open tag', `<svg ${NS} viewBox="0 0 1 1">`, /not well-formed/],
  ['no namespace', '<svg viewBox="0 0 1 1"/>', /not an SVG/],
  ['HTML', '<html xmlns="http://www.w3.org/1999/xhtml"/>', /not an SVG/],
])('a file with %s is refused with the reason', (_, text, message) => {
  expect(refusal(text)).toMatch(message);
});

test('a file that is not in UTF-8 is refused', () => {
  expect(() => cleanSvg(Buffer.from(inSvg('<rect fill="ré"/>'), 'latin1'))).toThrow(/UTF-8/);
  expect(startsLikeXml(Buffer.from(`\uFEFF \n${logo}`))).toBe(true);
  expect(startsLikeXml(Buffer.from('\x89PNG'))).toBe(false);
});

/** Creates a generator of pseudo-random numbers in [0, 1); the same seed gives the same sequence. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const hostile = [
  '<script>alert(1)</script>',
  ' onload="alert(1)"',
  ' href="javascript:alert(1)"',
  ' xlink:href="https://example.test/x.svg#a"',
  ' style="fill:url(https://example.test/#a);background:url(//example.test)"',
  '<style>@import url(https://example.test);</style>',
  '<style>.st0{fill:expression(alert(1))}</style>',
  '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.test"/></foreignObject>',
  '<image href="file:///etc/passwd"/>',
  '<set attributeName="href" to="javascript:alert(1)"/>',
  '<a href="javascript:alert(1)"><rect/></a>',
  '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
  '&lt;script>',
  '&#x3c;script&#x3e;',
  '<![CDATA[<script>]]>',
  '<!ENTITY x SYSTEM "file:///etc/passwd">',
  '&x;',
  ' id="&quot;><script>alert(1)</script>"',
  ' class="a"',
  '</g>',
  '<g>',
  '"',
  "'",
  '>',
  '<',
  '\u0000',
  '\u202e',
  '<?php ?>',
  ' transform="matrix(1e9)"',
  ' d="M0 0L',
  ' fill="#1e9999"',
  ' xmlns:x="javascript:1"',
  ' xml:base="https://example.test"',
];

/** Returns all element and attribute names and all attribute values of an XML document. Throws if it is malformed. */
function partsOf(xml: string): { names: string[]; values: string[] } {
  const parser = new SaxesParser();
  const names: string[] = [];
  const values: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    names.push(name, ...Object.keys(attributes));
    values.push(...Object.values(attributes));
  });
  parser.write(xml).close();
  return { names, values };
}

test('none of 400 damaged and hostile SVGs keeps anything that can run or load', () => {
  const random = randomNumbers(7);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  let kept = 0;
  for (let at = 0; at < 400; at += 1) {
    let text = logo;
    for (let change = 0; change < 1 + (at % 4); change += 1) {
      const from = Math.floor(random() * text.length);
      // Make half of the changes where an element or attribute can start.
      const place = random() < 0.5 ? from : Math.max(text.indexOf(random() < 0.5 ? '<' : ' ', from), 0);
      text = text.slice(0, place) + pick(hostile) + text.slice(place + Math.floor(random() * 3));
    }
    const found = refusal(text);
    if (!found.startsWith('<svg')) continue;
    kept += 1;
    const { names, values } = partsOf(found);
    expect(names.filter((name) => /^(on|style|script|image|foreign|a$|set)/i.test(name))).toEqual([]);
    const outside = values.filter((value) => /script|url\((?!["']?#)|\/\//i.test(value));
    expect(outside.filter((value) => value !== 'http://www.w3.org/2000/svg')).toEqual([]);
    expect(clean(found).svg).toBe(found);
  }
  // If almost all SVGs were refused, the checks above would prove nothing.
  expect(kept).toBeGreaterThan(20);
});

test.each(['<style>/*', '<style>.a,', '<rect transform="  ', '<rect fill="url(', '<path d="1.'])(
  'an SVG of the largest size that repeats the end of “%s” is refused or kept, not read forever',
  (start) => {
    const long = start + start.slice(-2).repeat(MAX_SVG_BYTES / 2 - 500);
    const end = start.startsWith('<style>') ? '</style>' : '!"/>';
    expect(refusal(inSvg(long + end))).toMatch(/not supported|another file/);
  },
);
