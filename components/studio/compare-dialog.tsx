'use client';

import { Box, Modal, Text } from '@mantine/core';
import { ComparePair, type Pair } from './compare-pair';

type CompareDialogProps = {
  pair: Pair | null;
  onClose: () => void;
  onStale: () => void;
};

/** Compares two images with a slider that is moved by mouse, touch or arrow keys. */
export function CompareDialog({ pair, onClose, onStale }: CompareDialogProps) {
  return (
    <Modal
      opened={pair !== null}
      onClose={onClose}
      size="xl"
      title={pair ? `Images ${pair[0].label} and ${pair[1].label}` : ''}
    >
      {pair && (
        <>
          <Box __vars={{ '--pair-height': '70dvh' }}>
            <ComparePair pair={pair} onStale={onStale} />
          </Box>
          <Text size="sm" c="dimmed" mt="sm" ta="center">
            Drag over the images, or use the arrow keys.
          </Text>
        </>
      )}
    </Modal>
  );
}
