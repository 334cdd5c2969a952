'use client';

import { SimpleGrid } from '@mantine/core';
import { type Editor, useEditorState } from '@tiptap/react';
import { STANDARD_FONT } from '@/lib/document/font-library';
import type { TextElement } from '@/lib/document/page-model';
import { FontSelect } from '../fonts/font-select';
import { ColorField } from '../inspector/fields';
import { FontSizeField, TrackingField } from '../inspector/typography-numbers';
import { selectedFormat } from './selected-blocks';
import classes from './text-editor.module.css';
import { ownTypography, type Typography } from './typography-attributes';

/** The fields for the font, size, color and tracking of the selected text. */
export function TypographyFields({ editor, element }: { editor: Editor; element: TextElement }) {
  const own = useEditorState({
    editor,
    selector: ({ editor }) => ownTypography(editor.getAttributes('typography')),
  });
  const style = useEditorState({ editor, selector: ({ editor }) => selectedFormat(editor).style }) ?? element;
  const change = (patch: Typography) => editor.commands.setMark('typography', patch);
  return (
    <SimpleGrid className={classes.fields} cols={2} spacing="xs">
      <FontSelect
        label="Font"
        value={own.font ?? style.font}
        withinPortal={false}
        onChange={(font) => change({ font: font ?? STANDARD_FONT })}
      />
      <FontSizeField value={own.size ?? style.fontSize} onChange={(size) => change({ size })} />
      <ColorField
        label="Color"
        value={own.color ?? style.color}
        colorId={own.color === undefined ? style.colorId : own.colorId}
        withinPortal={false}
        onChange={(color, colorId) => change({ color, colorId })}
      />
      <TrackingField
        value={own.tracking ?? style.tracking ?? 0}
        onChange={(tracking) => change({ tracking })}
      />
    </SimpleGrid>
  );
}
