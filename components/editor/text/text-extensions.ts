import { mergeAttributes, Node, textblockTypeInputRule } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { link } from '@/lib/document/page-model';
import { listCommands } from './list-commands';
import { blockFormatExtension, typography } from './typography-extensions';

export type HeadingLevel = 1 | 2 | 3;
const levels: HeadingLevel[] = [1, 2, 3];

const levelOf = (level: unknown): HeadingLevel => levels.find((known) => known === Number(level)) ?? 3;

// As on the page, headings start at h2. The `data-level` attribute preserves the level when text is copied.
const heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => ({ level: { default: 1, rendered: false } }),
  parseHTML: () =>
    ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => ({
      tag,
      getAttrs: (element) => ({ level: levelOf(element.getAttribute('data-level') ?? tag.slice(1)) }),
    })),
  renderHTML: ({ node, HTMLAttributes }) => {
    const level = levelOf(node.attrs.level);
    return [`h${level + 1}`, mergeAttributes(HTMLAttributes, { 'data-level': level }), 0];
  },
  addKeyboardShortcuts() {
    return Object.fromEntries(
      levels.map((level) => [
        `Mod-Alt-${level}`,
        () => this.editor.commands.toggleNode('heading', 'paragraph', { level }),
      ]),
    );
  },
  addInputRules() {
    return levels.map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^#{${level}}\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    );
  },
});

// The model has no nested lists; a pasted nested list is flattened.
const listItem = Node.create({
  name: 'listItem',
  content: 'paragraph',
  defining: true,
  parseHTML: () => [{ tag: 'li' }],
  renderHTML: ({ HTMLAttributes }) => ['li', HTMLAttributes, 0],
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem('listItem') };
  },
});

/** The editor extensions for the formatting that the page model supports. */
export const textExtensions = [
  StarterKit.configure({
    blockquote: false,
    code: false,
    codeBlock: false,
    strike: false,
    horizontalRule: false,
    gapcursor: false,
    // This extension would append an empty paragraph to text that ends with a heading or a list.
    trailingNode: false,
    heading: false,
    listItem: false,
    bulletList: { keepMarks: true },
    orderedList: { keepMarks: true },
    link: {
      autolink: false,
      openOnClick: false,
      defaultProtocol: 'https',
      isAllowedUri: (url) => link.safeParse(url).success,
      HTMLAttributes: { rel: 'noopener noreferrer', target: null },
    },
  }),
  heading,
  listItem,
  listCommands,
  typography,
  blockFormatExtension,
];
