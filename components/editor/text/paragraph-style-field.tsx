'use client';

import { Select, Text } from '@mantine/core';
import { type Editor, useEditorState } from '@tiptap/react';
import { blockStyleOf } from '@/lib/document/styles/apply-styles';
import { useEditor } from '../use-editor';
import { changeFormat, selectedFormat } from './selected-blocks';
import classes from './text-editor.module.css';

const NONE = '';

/** Field that sets the paragraph style of the selected paragraphs. This style overrides the frame's style. */
export function ParagraphStyleField({ editor }: { editor: Editor }) {
  const styles = useEditor(({ document }) => document.styles);
  const own = useEditorState({ editor, selector: ({ editor }) => selectedFormat(editor).style?.id });
  const isKnown = own === undefined || styles.some(({ id }) => id === own);
  const choose = (id: string | null) => {
    const style = styles.find((each) => each.id === id);
    changeFormat(editor, { style: style && blockStyleOf(style) });
  };
  return (
    <div className={classes.fields}>
      <Select
        size="xs"
        label="Paragraph style"
        data={[
          { value: NONE, label: 'As the frame' },
          ...styles.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={isKnown ? (own ?? NONE) : null}
        placeholder="Deleted style"
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={choose}
      />
      {styles.length === 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          This document has no styles yet. Add them in the brand kit.
        </Text>
      )}
    </div>
  );
}
