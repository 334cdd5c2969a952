import type { Browser, CDPSession } from 'puppeteer-core';
import { inPrintPage } from '../in-print-page';

const OTS_ERROR = 'OTS parsing error: ';

/** `reason` is the browser's message about a font that it refuses, one problem per line, or '' if it gives none. */
export type FontTrial =
  | { isUsable: false; reason: string }
  | {
      isUsable: true;
      /** Whether the browser takes any of the tried characters from the font. */
      isUsed: boolean;
      /** The tried characters that are drawn without ink. */
      blank: string[];
    };

// The script is a string, because a compiled function would refer to helpers that do not exist on the page. The
// element's text is drawn with the font, so the browser has decoded the font when it is measured.
const measure = `(async () => {
  const [face] = document.fonts;
  if (!(await face.load().then(() => true, () => false))) return null;
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = '100px tried';
  return [...new Set(document.querySelector('p').textContent)].filter((character) => {
    const box = canvas.measureText(character);
    return box.actualBoundingBoxRight + box.actualBoundingBoxLeft <= 0
      && box.actualBoundingBoxAscent + box.actualBoundingBoxDescent <= 0;
  });
})()`;

/** Returns what the browser logged about a font. `Log.enable` sends what has been logged so far. */
async function loggedReason(session: CDPSession): Promise<string> {
  const texts: string[] = [];
  session.on('Log.entryAdded', ({ entry }) => texts.push(entry.text));
  await session.send('Log.enable');
  return texts.find((text) => text.startsWith(OTS_ERROR))?.slice(OTS_ERROR.length) ?? '';
}

async function isFontUsed(session: CDPSession): Promise<boolean> {
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'p' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.some(({ isCustomFont, glyphCount }) => isCustomFont && glyphCount > 0);
}

/**
 * Loads a font in the printing browser, as a document would, and draws the characters with it. Nothing but the font and
 * the characters is in the page. Throws the signal's reason or any error from the browser.
 */
export function tryFont(
  browser: Browser,
  kill: () => void,
  { font, characters, signal }: { font: Buffer; characters: string[]; signal: AbortSignal },
): Promise<FontTrial> {
  const text = characters.map((character) => `&#${character.codePointAt(0)};`).join('');
  const html = `<!doctype html><html lang="en"><title>Font</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<style>@font-face { font-family: tried; src: url(data:font/sfnt;base64,${font.toString('base64')}); }
p { font-family: tried; }</style><p>${text}</p>`;
  return inPrintPage(browser, kill, { size: html.length, signal }, async ({ page, session }) => {
    await page.setContent(html, { waitUntil: 'load', timeout: 0 });
    const blank = (await page.evaluate(measure)) as string[] | null;
    if (blank === null) return { isUsable: false, reason: await loggedReason(session) };
    return { isUsable: true, isUsed: await isFontUsed(session), blank };
  });
}
