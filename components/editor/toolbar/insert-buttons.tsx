'use client';

import { Button, Group, Menu } from '@mantine/core';
import {
  IconChevronDown,
  IconLetterT,
  IconPalette,
  IconPhoto,
  IconShape,
  IconTable,
} from '@tabler/icons-react';
import type { PageElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { newImage, newShape, newTable, newText } from '../new-elements';
import { useEditorContext, usePageSize } from '../use-editor';

type InsertButtonsProps = {
  /** True while no page is open. */
  disabled: boolean;
  onImages: () => void;
  onMaterials: () => void;
};

/** Adds new elements in the center of the open page. */
export function InsertButtons({ disabled, onImages, onMaterials }: InsertButtonsProps) {
  const { store } = useEditorContext();
  const size = usePageSize();
  const add = (make: (size: SheetSize) => PageElement) => () =>
    store.dispatch({ type: 'elements-added', elements: [make(size)] });
  const button = { variant: 'default', size: 'xs', disabled } as const;
  const icon = { size: 16, stroke: 1.6 } as const;
  return (
    <Group gap={4} wrap="nowrap">
      <Button {...button} leftSection={<IconLetterT {...icon} />} onClick={add(newText)}>
        Text
      </Button>
      <Menu position="bottom-start" withinPortal disabled={disabled}>
        <Menu.Target>
          <Button
            {...button}
            leftSection={<IconPhoto {...icon} />}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
          >
            Image
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onImages}>From project…</Menu.Item>
          <Menu.Item onClick={add((page) => newImage(page))}>Empty frame</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button {...button} leftSection={<IconPalette {...icon} />} onClick={onMaterials}>
        Material
      </Button>
      <Button {...button} leftSection={<IconTable {...icon} />} onClick={add(newTable)}>
        Table
      </Button>
      <Menu position="bottom-start" withinPortal disabled={disabled}>
        <Menu.Target>
          <Button
            {...button}
            leftSection={<IconShape {...icon} />}
            rightSection={<IconChevronDown size={14} stroke={1.6} />}
          >
            Shape
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={add((page) => newShape(page, 'rect'))}>Rectangle</Menu.Item>
          <Menu.Item onClick={add((page) => newShape(page, 'ellipse'))}>Ellipse</Menu.Item>
          <Menu.Item onClick={add((page) => newShape(page, 'line'))}>Line</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
