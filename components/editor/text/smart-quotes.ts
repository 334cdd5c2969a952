import { Extension, InputRule } from '@tiptap/react';
import { smartQuote } from '@/lib/document/quotes';

/**
 * Replaces straight quotes with the typographic quotes of the document's language while the user types. Backspace or
 * Ctrl+Z right after a replacement restores the straight quote.
 */
export const smartQuotes = Extension.create<{ language: string }>({
  name: 'smartQuotes',
  addOptions: () => ({ language: 'en' }),
  addInputRules() {
    const { language } = this.options;
    const rule = (typed: '"' | "'") =>
      new InputRule({
        find: new RegExp(`${typed}$`),
        handler: ({ state, range: { to } }) => {
          const { parent, parentOffset: end } = state.doc.resolve(to - 1);
          const before = parent.textBetween(Math.max(0, end - 1), end, undefined, '\n');
          state.tr.insertText(smartQuote(typed, before, language), to - 1, to);
        },
      });
    return [rule('"'), rule("'")];
  },
});
