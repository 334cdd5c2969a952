import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hyphenatedSheet } from '@/lib/document/hyphenation/hyphenated-sheet';
import { hyphenatorOf } from '@/lib/document/hyphenation/hyphenator';
import { pageData } from '@/lib/document/page-model';
import { withPureBlack } from '@/lib/document/pure-black';
import { smartQuote } from '@/lib/document/quotes';
import { textElement } from '@/tests/app/support/exports';

const visible = (text: string) => text.replaceAll('\u00ad', '·');

describe('hyphenation', () => {
  test.each([
    ['en', 'hyphenation of documents', 'hy·phen·ation of doc·u·ments'],
    ['en-GB', 'hyphenation', 'hy·phen·a·tion'],
    ['de-AT', 'Wohnungseinrichtung', 'Woh·nungs·ein·rich·tung'],
    ['nn', 'innreiing', 'inn·rei·ing'],
    ['fr', 'l’aménagement', 'l’amé·na·ge·ment'],
    ['da', 'VÆRELSESDØR', 'VÆ·REL·SES·DØR'],
    ['es', 'especificación', 'es·pe·ci·fi·ca·ción'],
    ['fi', 'huonekalut', 'huo·ne·ka·lut'],
    ['it', 'pavimento', 'pa·vi·men·to'],
    ['nl', 'vloerbedekking', 'vloer·be·dek·king'],
    ['pl', 'przynajmniej Przynajmniej', 'przy·naj·mniej Przy·naj·mniej'],
    ['pt', 'revestimento', 're·ves·ti·mento'],
    ['sv', 'golvbeläggning', 'golv·be·lägg·ning'],
  ])('words are broken by the rules of the language: %s', async (language, text, expected) => {
    const hyphenate = await hyphenatorOf(language);
    expect(visible(hyphenate?.(text) ?? '')).toBe(expected);
  });

  test('addresses, short words and words with soft hyphens are not changed', async () => {
    const hyphenate = await hyphenatorOf('en');
    const text = 'https://example.com/documents documents@example.com documents.pdf oak docu\u00adments';
    expect(hyphenate?.(text)).toBe(text);
  });

  test('hyphenation adds nothing but soft hyphens to any text', async () => {
    const hyphenate = await hyphenatorOf('en');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(hyphenate?.(text).replaceAll('\u00ad', '')).toBe(text.replaceAll('\u00ad', ''));
      }),
    );
  });

  test('a language without patterns has no hyphenation', async () => {
    expect(await hyphenatorOf('ja')).toBeNull();
  });

  test('only elements with hyphenation are changed, each only once, and their headings are not', async () => {
    const hyphenate = await hyphenatorOf('en');
    const runs = [{ text: 'documents' }];
    const page = pageData.parse({
      id: 'p',
      elements: [
        textElement('plain', 'documents'),
        textElement('text', '', {
          hyphenate: true,
          blocks: [
            { type: 'heading', level: 1, runs },
            { type: 'paragraph', runs },
            { type: 'list', items: [runs] },
          ],
        }),
      ],
    });
    const hyphenated = () => {
      const footer = { hasTitle: false, hasNumber: false, margin: 0 };
      const sheet = { kind: 'page', number: 1, page, master: page, title: '', footer } as const;
      const printed = hyphenatedSheet(sheet, hyphenate ?? String);
      if (printed.kind !== 'page') throw new Error('It is no page.');
      expect(printed.master?.elements[1]).toBe(printed.page.elements[1]);
      return printed.page;
    };
    const once = hyphenated();
    expect(once.elements[0]).toBe(page.elements[0]);
    const texts = JSON.stringify(once.elements[1])
      .match(/"text":"[^"]+"/g)
      ?.map(visible);
    expect(texts).toEqual(['"text":"documents"', '"text":"doc·u·ments"', '"text":"doc·u·ments"']);
    expect(hyphenated().elements[1]).toBe(once.elements[1]);
  });
});

describe('smart quotes', () => {
  /** Returns the result of typing text character by character. */
  const typed = (text: string, language: string) =>
    [...text].reduce(
      (before, character) =>
        before +
        (character === '"' || character === "'"
          ? smartQuote(character, before.slice(-1), language)
          : character),
      '',
    );

  test.each([
    ['en', '“Oak,” she said (‘or “ash”’). It’s 5’'],
    ['de', '„Oak,“ she said (‚or „ash“‘). It’s 5’'],
    ['de-CH', '«Oak,» she said (‹or «ash»›). It’s 5’'],
    ['nb', '«Oak,» she said (‘or «ash»’). It’s 5’'],
    ['fr', '«\u202fOak,\u202f» she said (“or «\u202fash\u202f»”). It’s 5’'],
    ['sv', '”Oak,” she said (’or ”ash”’). It’s 5’'],
    ['ja', '“Oak,” she said (‘or “ash”’). It’s 5’'],
  ])('straight quotes become those of the language: %s', (language, expected) => {
    expect(typed('"Oak," she said (\'or "ash"\'). It\'s 5\'', language)).toBe(expected);
  });
});

test('pure black applies to the colors of words within a text', () => {
  const runs = [{ text: 'Oak', color: '#1f2328' }, { text: ' floor', color: '#c0392b' }, { text: '.' }];
  const text = textElement('t', '', {
    blocks: [
      { type: 'paragraph', runs },
      { type: 'list', items: [runs] },
    ],
  });
  const page = pageData.parse({ id: 'p', elements: [text] });
  const [element] = withPureBlack(page).elements;
  const printed = [{ color: '#000000' }, { color: '#c0392b' }, { text: '.' }];
  expect(element).toMatchObject({ color: '#000000', blocks: [{ runs: printed }, { items: [printed] }] });
  expect(JSON.stringify(element)).not.toContain('#1f2328');
});
