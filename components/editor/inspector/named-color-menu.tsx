'use client';

import { ActionIcon, ColorSwatch, Menu } from '@mantine/core';
import { IconPalette } from '@tabler/icons-react';
import type { NamedColor } from '@/lib/document/styles/named-styles';

type NamedColorMenuProps = {
  /** The label of the color field. */
  field: string;
  colors: readonly NamedColor[];
  withinPortal: boolean;
  onPick: (color: NamedColor) => void;
};

/** A button that opens a menu of the document's named colors. It appears inside a color field. */
export function NamedColorMenu({ field, colors, withinPortal, onPick }: NamedColorMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal={withinPortal}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Named colors: ${field}`}>
          <IconPalette size={14} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah="50dvh" style={{ overflowY: 'auto' }}>
        {colors.map((color) => (
          <Menu.Item
            key={color.id}
            leftSection={<ColorSwatch component="span" color={color.color} size={14} />}
            onClick={() => onPick(color)}
          >
            {color.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
