'use client';

import { ActionIcon, Button, Group, Input, Stack, Switch } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { MAX_GUIDES, type PageData, type PageGuide } from '@/lib/document/page-model';
import { lengthAlong } from '../geometry/guides';
import { useEditor, useEditorContext, usePageSize } from '../use-editor';
import { NumberField } from './fields';
import classes from './inspector.module.css';

const names = { x: 'Vertical guide', y: 'Horizontal guide' } as const;

/**
 * Fields for the guides of the open page or master: their positions (mm), buttons to add and remove guides, and a
 * switch that shows or hides all guides.
 */
export function GuideFields({ page }: { page: PageData }) {
  const { store, canEdit } = useEditorContext();
  const showsGuides = useEditor((state) => state.showsGuides);
  const size = usePageSize();
  const { guides = [] } = page;
  const change = (next: readonly PageGuide[], group?: string) =>
    store.dispatch({ type: 'guides-changed', guides: next, group });
  const add = (axis: PageGuide['axis']) => {
    store.dispatch({ type: 'guides-shown', shown: true });
    change([...guides, { axis, at: lengthAlong(axis, size) / 2 }]);
  };
  return (
    <Input.Wrapper label="Guides" size="xs" labelElement="div">
      <Stack gap={6}>
        {guides.map((guide, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: guides have no id, and two can be in the same place.
            key={index}
            className={classes.guide}
          >
            <NumberField
              label={names[guide.axis]}
              value={guide.at}
              min={0}
              max={lengthAlong(guide.axis, size)}
              unit="mm"
              disabled={!canEdit}
              onChange={(at) =>
                change(guides.with(index, { ...guide, at }), `field guide ${page.id} ${index}`)
              }
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={30}
              disabled={!canEdit}
              aria-label={`Remove ${names[guide.axis].toLowerCase()} at ${guide.at} mm`}
              onClick={() => change(guides.toSpliced(index, 1))}
            >
              <IconTrash size={14} stroke={1.6} />
            </ActionIcon>
          </div>
        ))}
        <Group gap="xs">
          {(['x', 'y'] as const).map((axis) => (
            <Button
              key={axis}
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={12} stroke={1.8} />}
              disabled={!canEdit || guides.length >= MAX_GUIDES}
              aria-label={`Add ${names[axis].toLowerCase()}`}
              onClick={() => add(axis)}
            >
              {axis === 'x' ? 'Vertical' : 'Horizontal'}
            </Button>
          ))}
        </Group>
        <Switch
          size="xs"
          label="Show guides"
          checked={showsGuides}
          onChange={(event) => store.dispatch({ type: 'guides-shown', shown: event.currentTarget.checked })}
        />
      </Stack>
    </Input.Wrapper>
  );
}
