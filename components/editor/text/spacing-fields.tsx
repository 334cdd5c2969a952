'use client';

import { SimpleGrid } from '@mantine/core';
import { type Editor, useEditorState } from '@tiptap/react';
import type { TextElement } from '@/lib/document/page-model';
import { NumberField } from '../inspector/fields';
import { LineHeightField } from '../inspector/typography-numbers';
import classes from './text-editor.module.css';
import { ownSpacing, type Spacing } from './typography-attributes';

/** Returns the types of the selected blocks. Spacing applies to a whole list, not to its items. */
function blockTypes(editor: Editor): string[] {
  const list = ['bulletList', 'orderedList'].filter((name) => editor.isActive(name));
  return list.length > 0 ? list : ['paragraph', 'heading'];
}

/** The fields for the space around the selected paragraphs and their line height. */
export function SpacingFields({ editor, element }: { editor: Editor; element: TextElement }) {
  const own = useEditorState({
    editor,
    selector: ({ editor }) =>
      ownSpacing(Object.assign({}, ...blockTypes(editor).map((type) => editor.getAttributes(type)))),
  });
  const change = (patch: Spacing) => {
    const chain = editor.chain();
    for (const type of blockTypes(editor)) chain.updateAttributes(type, patch);
    chain.run();
  };
  return (
    <SimpleGrid className={classes.fields} cols={3} spacing="xs">
      <NumberField
        label="Space before"
        min={0}
        max={100}
        step={0.5}
        unit="mm"
        value={own.spaceBefore ?? 0}
        onChange={(spaceBefore) => change({ spaceBefore })}
      />
      <NumberField
        label="Space after"
        min={0}
        max={100}
        step={0.5}
        unit="mm"
        value={own.spaceAfter}
        placeholder="Auto"
        onChange={(spaceAfter) => change({ spaceAfter })}
      />
      <LineHeightField
        value={own.lineHeight}
        placeholder={String(element.lineHeight)}
        onChange={(lineHeight) => change({ lineHeight })}
      />
    </SimpleGrid>
  );
}
