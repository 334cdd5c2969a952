'use client';

import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core';
import { IconBook2, IconLetterT, IconPalette, IconPhoto, IconShape, IconTable } from '@tabler/icons-react';
import { FilePicker } from '@/components/files/file-picker';
import type { PageElement } from '@/lib/document/page-model';
import type { SheetSize } from '@/lib/document/sheets';
import { focusCanvas } from '../canvas/focus-canvas';
import { newImageFrame, newShape, newTable, newText } from '../new-elements';
import { addTableFile } from '../tables/add-table-file';
import { CELL_FILES } from '../tables/cells-in-file';
import { useEditorContext, usePageSize } from '../use-editor';
import { CanvasMenu } from './canvas-menu';
import classes from './toolbar.module.css';

type InsertButtonsProps = {
  /** True while no page or master is open. */
  disabled: boolean;
  /** True if a master is open. A master cannot contain materials or tables. */
  isMaster: boolean;
  onImages: () => void;
  onMaterials: () => void;
  onStandards: () => void;
};

/** Buttons that insert elements into the open page or master. */
export function InsertButtons({
  disabled,
  isMaster,
  onImages,
  onMaterials,
  onStandards,
}: InsertButtonsProps) {
  const { store } = useEditorContext();
  const size = usePageSize();
  const add = (make: (size: SheetSize) => PageElement) => () => {
    store.dispatch({ type: 'elements-added', elements: [make(size)], edit: true });
    focusCanvas(store);
  };
  const button = { variant: 'default', size: 'xs', disabled } as const;
  const icon = { size: 16, stroke: 1.6 } as const;
  return (
    <Group gap={4} wrap="nowrap" className={classes.insert}>
      <Button {...button} leftSection={<IconLetterT {...icon} />} onClick={add(newText)}>
        Text
      </Button>
      <CanvasMenu
        label="Image"
        disabled={disabled}
        leftSection={<IconPhoto {...icon} />}
        items={
          <>
            <Menu.Item data-dialog onClick={onImages}>
              From project…
            </Menu.Item>
            <Menu.Item onClick={add(newImageFrame)}>Empty frame</Menu.Item>
          </>
        }
      />
      <Button
        {...button}
        disabled={disabled || isMaster}
        leftSection={<IconPalette {...icon} />}
        onClick={onMaterials}
      >
        Material
      </Button>
      <Tooltip label="Brand standard">
        <ActionIcon
          variant="default"
          size={30}
          disabled={disabled}
          aria-label="Brand standard"
          onClick={onStandards}
        >
          <IconBook2 {...icon} />
        </ActionIcon>
      </Tooltip>
      <FilePicker
        accept={CELL_FILES}
        onFiles={([file]) => file && void addTableFile(store, size, file).then(() => focusCanvas(store))}
      >
        {({ onClick }) => (
          <CanvasMenu
            label="Table"
            disabled={disabled || isMaster}
            leftSection={<IconTable {...icon} />}
            items={
              <>
                <Menu.Item onClick={add(newTable)}>Empty table</Menu.Item>
                <Menu.Item data-dialog onClick={onClick}>
                  From CSV file…
                </Menu.Item>
              </>
            }
          />
        )}
      </FilePicker>
      <CanvasMenu
        label="Shape"
        disabled={disabled}
        leftSection={<IconShape {...icon} />}
        items={
          <>
            <Menu.Item onClick={add((page) => newShape(page, 'rect'))}>Rectangle</Menu.Item>
            <Menu.Item onClick={add((page) => newShape(page, 'ellipse'))}>Ellipse</Menu.Item>
            <Menu.Item onClick={add((page) => newShape(page, 'line'))}>Line</Menu.Item>
          </>
        }
      />
    </Group>
  );
}
