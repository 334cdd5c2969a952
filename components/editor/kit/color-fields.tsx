'use client';

import { Button, ColorSwatch, Group, Stack, Text, Title } from '@mantine/core';
import { newKey } from '@/hooks/new-key';
import { MAX_NAMED_COLORS } from '@/lib/document/styles/named-styles';
import type { NamedColorPatch } from '../change-styles';
import { ColorField } from '../inspector/fields';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './kit.module.css';
import { KitItem } from './kit-item';
import { NameField } from './name-field';
import { removeColorFromKit } from './remove-from-kit';

/** The initial value of a new color. */
const NEW_COLOR = '#5f2c52';

/** Lists the document's named colors. Users can add, change, rename and delete them. */
export function ColorFields() {
  const { store, canEdit } = useEditorContext();
  const colors = useEditor(({ document }) => document.colors);
  const change = (id: string, patch: NamedColorPatch) =>
    store.dispatch({ type: 'color-changed', id, patch, group: `color ${id} ${Object.keys(patch).join()}` });
  return (
    <Stack gap="xs" component="section" aria-label="Colors">
      <Title order={2} size="sm">
        Colors
      </Title>
      {colors.length === 0 && (
        <Text size="xs" c="dimmed">
          No colors yet. When you change a color here, everything that uses it changes too.
        </Text>
      )}
      <ul className={classes.list}>
        {colors.map(({ id, name, color }) => (
          <KitItem
            key={id}
            what={`color ${name}`}
            summary={
              <>
                <ColorSwatch component="span" color={color} size={16} />
                <Text span size="sm" truncate>
                  {name}
                </Text>
              </>
            }
            onDelete={canEdit ? () => removeColorFromKit(store, id) : null}
          >
            <NameField value={name} disabled={!canEdit} onChange={(next) => change(id, { name: next })} />
            <ColorField
              label="Color"
              value={color}
              disabled={!canEdit}
              onChange={(next) => change(id, { color: next })}
            />
          </KitItem>
        ))}
      </ul>
      {canEdit && (
        <Group>
          <Button
            size="xs"
            variant="default"
            disabled={colors.length >= MAX_NAMED_COLORS}
            onClick={() =>
              store.dispatch({
                type: 'color-added',
                color: { id: newKey(), name: `Color ${colors.length + 1}`, color: NEW_COLOR },
              })
            }
          >
            Add color
          </Button>
        </Group>
      )}
    </Stack>
  );
}
