import { expect, test } from 'vitest';
import { pageData } from '@/lib/document/page-model';
import { withPureBlack } from '@/lib/document/pure-black';
import { textElement } from '@/tests/app/support/exports';

test('a nearly black text or word becomes pure black, and a word in any other color keeps its color', () => {
  const runs = ['#222222', '#0a1a5c'].map((color) => ({ text: 'Words', color }));
  const text = textElement('t', 'Words', {
    blocks: [
      { type: 'paragraph', runs },
      { type: 'list', items: [runs, [{ text: 'Words' }]] },
    ],
  });
  const black = ['#000000', '#0a1a5c'].map((color) => ({ color }));
  const { elements } = withPureBlack(pageData.parse({ id: 'p', elements: [text] }));
  expect(elements).toMatchObject([{ color: '#000000', blocks: [{ runs: black }, { items: [black, [{}]] }] }]);
  expect(elements).not.toHaveProperty('0.blocks.1.items.1.0.color');
});
