'use client';

import { Button, type ButtonProps, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { focusCanvas } from '../canvas/focus-canvas';
import { useEditorContext } from '../use-editor';

type CanvasMenuProps = ButtonProps & { label: string; items: ReactNode };

/**
 * A toolbar menu of actions on the canvas. After an action, the focus moves to the canvas. If the user closes the menu
 * without choosing an action, or chooses one that opens a dialog (an item with `data-dialog`), the focus returns to the
 * menu's button.
 */
export function CanvasMenu({ label, items, ...button }: CanvasMenuProps) {
  const { store } = useEditorContext();
  const [acted, setActed] = useState(false);
  return (
    <Menu
      position="bottom-start"
      withinPortal
      disabled={button.disabled}
      returnFocus={!acted}
      onOpen={() => setActed(false)}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          rightSection={<IconChevronDown size={14} stroke={1.6} />}
          {...button}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown
        mah="70dvh"
        style={{ overflowY: 'auto' }}
        onClick={({ target }) => {
          if (
            !(target instanceof Element) ||
            !target.closest('[role=menuitem]:not([data-disabled]):not([data-dialog])')
          )
            return;
          setActed(true);
          focusCanvas(store);
        }}
      >
        {items}
      </Menu.Dropdown>
    </Menu>
  );
}
