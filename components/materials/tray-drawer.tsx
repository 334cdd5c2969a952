'use client';

import { Anchor, Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { IconFilePlus } from '@tabler/icons-react';
import { useState } from 'react';
import { AddTrayDialog } from '@/components/editor/handover/add-tray-dialog';
import { SideDrawer } from '@/components/feedback/side-drawer';
import { Link } from '@/components/shell/link';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { typeOne } from './material-labels';
import { materialsHref } from './material-url';
import { Thumbnail } from './thumbnail';
import classes from './tray.module.css';
import { useMaterialTray } from './tray-provider';
import { TRAY_SIZE } from './tray-state';

/** Shows a drawer where users can view the materials in the tray, remove them, or add them to a document. */
export function TrayDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const tray = useMaterialTray();
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const [adding, setAdding] = useState(false);
  const { materials, undo } = tray;
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      size="24rem"
      title={`Material tray, ${materials.length} of ${TRAY_SIZE}`}
    >
      <Stack gap="md" tabIndex={-1} className={classes.drawer} {...keptFocus}>
        {materials.length > 0 ? (
          <ul className={classes.list} aria-label="Materials in the tray">
            {materials.map(({ id, type, name, thumbnailUrl }) => (
              <li key={id}>
                <Thumbnail src={thumbnailUrl} className={classes.picture} />
                <span className={classes.what}>
                  <Anchor
                    component={Link}
                    href={materialsHref({ type, material: id })}
                    size="sm"
                    c="inherit"
                    onClick={onClose}
                  >
                    {name}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {typeOne[type]}
                  </Text>
                </span>
                <CloseButton aria-label={`Remove ${name}`} onClick={() => tray.remove(id)} />
              </li>
            ))}
          </ul>
        ) : (
          <Text c="dimmed">The tray is empty.</Text>
        )}
        {undo && (
          <Group gap="xs">
            <Text size="sm">{undo.text}</Text>
            <Button size="compact-sm" variant="subtle" onClick={() => tray.takeBack()}>
              Undo
            </Button>
          </Group>
        )}
        <Text size="sm" c="dimmed">
          Add these materials to a document here, or to images in the studio of a{' '}
          <Anchor component={Link} href="/projects" inherit underline="always" onClick={onClose}>
            project
          </Anchor>
          . Saved in this browser.
        </Text>
        {materials.length > 0 && (
          <Group>
            <Button
              size="xs"
              leftSection={<IconFilePlus size={16} stroke={1.6} />}
              aria-haspopup="dialog"
              onClick={() => setAdding(true)}
            >
              Add to document
            </Button>
            <Button variant="default" size="xs" onClick={() => tray.clear()}>
              Clear tray
            </Button>
          </Group>
        )}
      </Stack>
      <AddTrayDialog materials={materials} opened={adding} onClose={() => setAdding(false)} />
    </SideDrawer>
  );
}
