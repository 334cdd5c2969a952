'use client';

import { ActionIcon, Button, Group, Modal, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconCopy, IconDownload, IconWand } from '@tabler/icons-react';
import { Announcer } from '@/components/feedback/announcer';
import classes from './lightbox.module.css';
import type { ShownVariant } from './runs';
import type { VariantActions } from './variant-grid';
import { VariantImage } from './variant-image';

type LightboxProps = {
  variants: ShownVariant[];
  /** Key of the variant shown; null while the dialog is closed. */
  openKey: string | null;
  onOpen: (key: string | null) => void;
  actions: VariantActions;
};

/** Shows one image at full size. Arrow keys step through all images of the conversation, Escape closes. */
export function Lightbox({ variants, openKey, onOpen, actions }: LightboxProps) {
  const index = variants.findIndex(({ key }) => key === openKey);
  const shown = variants[index];
  const step = (by: number) => {
    const next = shown && variants[index + by];
    if (next) onOpen(next.key);
  };
  // On the window, because the dialog gets the focus only some time after it opens.
  useHotkeys([
    ['ArrowLeft', () => step(-1)],
    ['ArrowRight', () => step(1)],
  ]);
  const back = { 'aria-label': 'Previous image', onClick: () => step(-1), disabled: index <= 0 };
  const on = {
    'aria-label': 'Next image',
    onClick: () => step(1),
    disabled: index >= variants.length - 1,
  };
  return (
    <Modal
      opened={shown !== undefined}
      onClose={() => onOpen(null)}
      fullScreen
      title={shown ? `Image ${shown.label}` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown && (
        <>
          <div className={classes.stage}>
            <ActionIcon variant="subtle" color="gray" size="xl" {...back}>
              <IconChevronLeft size={28} stroke={1.5} />
            </ActionIcon>
            <VariantImage
              key={shown.key}
              variant={shown.variant}
              alt={`Image ${shown.label} for: ${shown.prompt}`}
              large
              className={classes.picture}
              onStale={actions.onStale}
            />
            <ActionIcon variant="subtle" color="gray" size="xl" {...on}>
              <IconChevronRight size={28} stroke={1.5} />
            </ActionIcon>
          </div>
          <div className={classes.bar}>
            <Text size="sm" c="dimmed">
              {shown.variant.width} × {shown.variant.height} · {index + 1} of {variants.length}
            </Text>
            <div className={classes.steps}>
              <ActionIcon variant="default" size="lg" {...back}>
                <IconChevronLeft size={20} />
              </ActionIcon>
              <ActionIcon variant="default" size="lg" {...on}>
                <IconChevronRight size={20} />
              </ActionIcon>
            </div>
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconCopy size={14} />}
                onClick={() => actions.copy(shown)}
              >
                Copy prompt
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<IconDownload size={14} />}
                onClick={() => actions.download(shown)}
              >
                Download
              </Button>
              {actions.refine && (
                <Button
                  size="xs"
                  leftSection={<IconWand size={14} />}
                  onClick={() => {
                    onOpen(null);
                    actions.refine?.(shown);
                  }}
                >
                  Refine
                </Button>
              )}
            </Group>
          </div>
          <Announcer text={`Image ${shown.label}, ${index + 1} of ${variants.length}`} />
        </>
      )}
    </Modal>
  );
}
