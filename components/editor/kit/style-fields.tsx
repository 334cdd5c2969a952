'use client';

import { Button, Group, Menu, SimpleGrid, Stack, Switch, Text, Title } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { newKey } from '@/hooks/new-key';
import { cssFontName, STANDARD_FONT } from '@/lib/document/font-library';
import {
  MAX_STYLES,
  type ParagraphStyle,
  paragraphStyle,
  templateStyles,
} from '@/lib/document/styles/named-styles';
import type { StylePatch } from '../change-styles';
import { FontSelect } from '../fonts/font-select';
import { ChoiceField, textAlignments } from '../inspector/choice-field';
import { ColorField } from '../inspector/fields';
import { FontSizeField, LineHeightField, TrackingField } from '../inspector/typography-numbers';
import { useEditor, useEditorContext } from '../use-editor';
import classes from './kit.module.css';
import { KitItem } from './kit-item';
import { NameField } from './name-field';
import { removeStyleFromKit } from './remove-from-kit';

function StyleValues({ style }: { style: ParagraphStyle }) {
  const { store, canEdit } = useEditorContext();
  const { id } = style;
  const change = (patch: StylePatch) =>
    store.dispatch({ type: 'style-changed', id, patch, group: `style ${id} ${Object.keys(patch).join()}` });
  const disabled = !canEdit;
  return (
    <>
      <NameField value={style.name} disabled={disabled} onChange={(name) => change({ name })} />
      <FontSelect label="Font" value={style.font} disabled={disabled} onChange={(font) => change({ font })} />
      <SimpleGrid cols={2} spacing="xs">
        <FontSizeField
          value={style.fontSize}
          disabled={disabled}
          onChange={(fontSize) => change({ fontSize })}
        />
        <LineHeightField
          value={style.lineHeight}
          disabled={disabled}
          onChange={(lineHeight) => change({ lineHeight })}
        />
        <ColorField
          label="Color"
          value={style.color}
          colorId={style.colorId}
          disabled={disabled}
          onChange={(color, colorId) => change({ color, colorId })}
        />
        <TrackingField
          value={style.tracking ?? 0}
          disabled={disabled}
          onChange={(tracking) => change({ tracking })}
        />
      </SimpleGrid>
      <Switch
        size="xs"
        label="Bold"
        checked={style.bold ?? false}
        disabled={disabled}
        onChange={(event) => change({ bold: event.currentTarget.checked })}
      />
      <ChoiceField
        label="Alignment"
        choices={textAlignments}
        value={style.align}
        disabled={disabled}
        onChange={(align) => change({ align })}
      />
    </>
  );
}

/** Lists the document's paragraph styles, with controls to add, change and delete them for users who can edit. */
export function StyleFields() {
  const { store, canEdit } = useEditorContext();
  const styles = useEditor(({ document }) => document.styles);
  const missing = Object.values(templateStyles).filter(({ id }) => !styles.some((style) => style.id === id));
  const add = (style: ParagraphStyle) => store.dispatch({ type: 'style-added', style });
  return (
    <Stack gap="xs" component="section" aria-label="Paragraph styles">
      <Title order={2} size="sm">
        Paragraph styles
      </Title>
      {styles.length === 0 && (
        <Text size="xs" c="dimmed">
          No styles yet. Templates and new texts will use Heading, Text and Caption once you add them.
        </Text>
      )}
      <ul className={classes.list}>
        {styles.map((style) => (
          <KitItem
            key={style.id}
            what={`style ${style.name}`}
            summary={
              <Text
                span
                size="sm"
                truncate
                ff={`${cssFontName(style.font ?? STANDARD_FONT)}, sans-serif`}
                fw={style.bold ? 700 : 400}
              >
                {style.name}
              </Text>
            }
            onDelete={canEdit ? () => removeStyleFromKit(store, style.id) : null}
          >
            <StyleValues style={style} />
          </KitItem>
        ))}
      </ul>
      {canEdit && (
        <Group>
          <Menu position="bottom-start" withinPortal>
            <Menu.Target>
              <Button
                size="xs"
                variant="default"
                disabled={styles.length >= MAX_STYLES}
                rightSection={<IconChevronDown size={14} stroke={1.6} />}
              >
                Add style
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {missing.map((style) => (
                <Menu.Item key={style.id} onClick={() => add(style)}>
                  {style.name}
                </Menu.Item>
              ))}
              <Menu.Item
                onClick={() =>
                  add(paragraphStyle.parse({ id: newKey(), name: `Style ${styles.length + 1}` }))
                }
              >
                New style
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </Stack>
  );
}
