'use client';

import { SimpleGrid } from '@mantine/core';
import { type Editor, useEditorState } from '@tiptap/react';
import type { TextElement } from '@/lib/document/page-model';
import { NumberField } from '../inspector/fields';
import { LineHeightField } from '../inspector/typography-numbers';
import { changeFormat, selectedFormat } from './selected-blocks';
import classes from './text-editor.module.css';
import type { BlockFormat } from './typography-attributes';

/** Fields for the space before and after the selected paragraphs, and for their line height. */
export function SpacingFields({ editor, element }: { editor: Editor; element: TextElement }) {
  const own = useEditorState({ editor, selector: ({ editor }) => selectedFormat(editor) });
  const change = (patch: BlockFormat) => changeFormat(editor, patch);
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
        placeholder={String((own.style ?? element).lineHeight)}
        onChange={(lineHeight) => change({ lineHeight })}
      />
    </SimpleGrid>
  );
}
