'use client';

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun, IconSunMoon } from '@tabler/icons-react';
import { useHydrated } from '@/hooks/use-hydrated';

const schemes = [
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
] as const;

/** Lets the user choose the light, dark or system color scheme. The choice is stored in this browser. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  // The choice is not available on the server, so no item is checked until the page is hydrated.
  const hydrated = useHydrated();
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Color scheme">
          <IconSunMoon size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={hydrated ? colorScheme : null}
          onChange={(value) =>
            setColorScheme(schemes.find((scheme) => scheme.value === value)?.value ?? 'auto')
          }
        >
          {schemes.map(({ value, label, Icon }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              closeMenuOnClick
              rightSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
            >
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
