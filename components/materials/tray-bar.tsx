'use client';

import { Button, CloseButton, Group, Text } from '@mantine/core';
import { onDemand } from '@/components/feedback/on-demand';
import { useOpenOnPath } from '@/components/shell/use-open-on-path';
import { Thumbnail } from './thumbnail';
import classes from './tray.module.css';
import { useMaterialTray } from './tray-provider';
import { TRAY_SIZE } from './tray-state';

const TrayDrawer = onDemand(() => import('./tray-drawer').then((file) => file.TrayDrawer), { opened: false });

/**
 * Shows the materials in the tray in a bar at the bottom of the page. Shows nothing if the tray is empty and there is
 * nothing to undo.
 */
export function TrayBar() {
  const tray = useMaterialTray();
  const { opened, open, close } = useOpenOnPath();
  const { materials, undo, refused } = tray;
  if (materials.length === 0 && !undo) return null;
  return (
    <>
      <div className={classes.room} />
      <section className={classes.bar} aria-label="Material tray">
        <div className={classes.inner}>
          {materials.length > 0 && (
            <>
              <div className={classes.thumbs} aria-hidden="true">
                {materials.map(({ id, thumbnailUrl }) => (
                  <Thumbnail key={id} src={thumbnailUrl} className={classes.thumb} />
                ))}
              </div>
              <Text size="sm" span className={classes.words}>
                {materials.length} of {TRAY_SIZE} in tray
                {refused && (
                  <Text size="sm" c="red" span>
                    . Tray is full.
                  </Text>
                )}
              </Text>
            </>
          )}
          {undo && (
            <Group gap={4} wrap="nowrap" className={classes.undo}>
              <Text size="sm" span truncate>
                {undo.text}
              </Text>
              <Button size="compact-sm" variant="subtle" onClick={tray.takeBack}>
                Undo
              </Button>
              <CloseButton size="sm" aria-label="Dismiss" onClick={tray.dismiss} />
            </Group>
          )}
          {materials.length > 0 && (
            <Button size="xs" variant="default" ml="auto" onClick={open} aria-haspopup="dialog">
              Open tray
            </Button>
          )}
        </div>
      </section>
      <TrayDrawer opened={opened} onClose={close} />
    </>
  );
}
