'use client';

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import type { ZoomView } from '../canvas/use-zoom';
import { zoomSteps } from '../geometry/zoom';
import { useEditor, useEditorDispatch } from '../use-editor';

const percent = (scale: number) => `${Math.round(scale * 100)}%`;

export function ZoomMenu({ view }: { view: ZoomView }) {
  const { zoom, scale, setZoom, step } = view;
  const dispatch = useEditorDispatch();
  const showsGuides = useEditor((state) => state.showsGuides);
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon variant="subtle" color="gray" aria-label="Zoom out" onClick={() => step(-1)}>
        <IconMinus size={16} stroke={1.6} />
      </ActionIcon>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            miw={64}
            aria-label={`Zoom, ${percent(scale)}`}
          >
            {percent(scale)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setZoom('fit')} aria-current={zoom === 'fit'}>
            Fit page
          </Menu.Item>
          {zoomSteps.map((value) => (
            <Menu.Item key={value} onClick={() => setZoom(value)} aria-current={zoom === value}>
              {percent(value)}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            rightSection={<kbd style={{ opacity: 0.7 }}>Ctrl ;</kbd>}
            onClick={() => dispatch({ type: 'guides-shown', shown: !showsGuides })}
          >
            {showsGuides ? 'Hide guides' : 'Show guides'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon variant="subtle" color="gray" aria-label="Zoom in" onClick={() => step(1)}>
        <IconPlus size={16} stroke={1.6} />
      </ActionIcon>
    </Group>
  );
}
