'use client';

import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { SubmitButton } from '@/components/form/submit-button';
import { newKey } from '@/hooks/new-key';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { type StyledElement, styleValues } from '@/lib/document/styles/apply-styles';
import { MAX_STYLES, type OverridableField, paragraphStyle } from '@/lib/document/styles/named-styles';
import { useEditor, useEditorContext } from '../use-editor';

const fieldNames: Record<OverridableField, string> = {
  font: 'font',
  fontSize: 'size',
  lineHeight: 'line height',
  color: 'color',
  align: 'alignment',
  bold: 'weight',
  tracking: 'tracking',
};
const NONE = '';

/** Lets the user select the paragraph style of elements, reset the elements' overrides, and add or update a style. */
export function StyleField({
  elements,
  disabled,
}: {
  elements: readonly StyledElement[];
  disabled: boolean;
}) {
  const { store } = useEditorContext();
  const styles = useEditor(({ document }) => document.styles);
  const [name, setName] = useState<string | null>(null);
  // Closing the form removes its focused field, so move the focus to the button that opened the form.
  const { ref: opener, ...formFocus } = useKeptFocus<HTMLButtonElement>();
  const [first] = elements;
  const ids = elements.map(({ id }) => id);
  const styleIds = new Set(styles.map(({ id }) => id));
  const used = new Set(elements.map(({ styleId }) => (styleId && styleIds.has(styleId) ? styleId : NONE)));
  const [only = NONE] = used;
  const style = used.size === 1 ? styles.find(({ id }) => id === only) : undefined;
  const overrides = new Set(style ? elements.flatMap((element) => element.overrides ?? []) : []);
  const change = (patch: { styleId?: string; overrides: undefined }) =>
    store.dispatch({ type: 'elements-changed', ids, patch });
  const close = () => setName(null);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name?.trim();
    if (!first || !trimmed) return;
    close();
    store.dispatch({
      type: 'style-added',
      style: paragraphStyle.parse({ id: newKey(), name: trimmed, ...styleValues(first) }),
      ids,
    });
  };
  const button = { size: 'compact-xs', variant: 'default', disabled } as const;
  return (
    <>
      <Select
        size="xs"
        label="Style"
        data={[{ value: NONE, label: 'None' }, ...styles.map(({ id, name }) => ({ value: id, label: name }))]}
        value={used.size === 1 ? only : null}
        placeholder="Mixed"
        allowDeselect={false}
        disabled={disabled}
        onChange={(id) => change({ styleId: id || undefined, overrides: undefined })}
      />
      {overrides.size > 0 && (
        <Text size="xs" c="dimmed">
          Different from the style: {[...overrides].map((field) => fieldNames[field]).join(', ')}
        </Text>
      )}
      <Group gap="xs">
        {style && overrides.size > 0 && (
          <Button {...button} onClick={() => change({ overrides: undefined })}>
            Reset to style
          </Button>
        )}
        {style && overrides.size > 0 && first && elements.length === 1 && (
          <Button
            {...button}
            onClick={() => store.dispatch({ type: 'style-updated', id: style.id, elementId: first.id })}
          >
            Update style from selection
          </Button>
        )}
        <Button
          {...button}
          ref={opener}
          disabled={disabled || styles.length >= MAX_STYLES}
          aria-expanded={name !== null}
          onClick={() => setName(name === null ? `Style ${styles.length + 1}` : null)}
        >
          New style from selection
        </Button>
      </Group>
      {name !== null && (
        <form onSubmit={add} {...formFocus}>
          <Group gap="xs" align="end" wrap="nowrap">
            <TextInput
              size="xs"
              label="Name of the style"
              flex={1}
              value={name}
              maxLength={60}
              autoFocus
              // Escape must not close the drawer around the field.
              data-mantine-stop-propagation="true"
              onFocus={(event) => event.currentTarget.select()}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Escape') close();
              }}
            />
            <SubmitButton size="xs" disabled={name.trim() === ''}>
              Add
            </SubmitButton>
          </Group>
        </form>
      )}
    </>
  );
}
