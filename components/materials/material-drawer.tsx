'use client';

import { Drawer } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SearchItem } from '@/lib/matlib/schema';
import { MaterialDetail } from './material-detail';
import type { MaterialUrl } from './material-url';

type MaterialDrawerProps = {
  /** Null while the drawer is closed. */
  id: string | null;
  /** The search result for this material, shown until its details have loaded. */
  known: SearchItem | null;
  url: MaterialUrl;
  onClose: () => void;
  onClosed: (id: string) => void;
};

/** Drawer with the open material. */
export function MaterialDrawer({ id, known, url, onClose, onClosed }: MaterialDrawerProps) {
  // Keep the content while the drawer closes.
  const last = useRef({ id, known });
  useEffect(() => {
    if (id) last.current = { id, known };
  }, [id, known]);
  const shown = id ? { id, known } : last.current;
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      onExitTransitionEnd={() => last.current.id && onClosed(last.current.id)}
      position="right"
      size="34rem"
      title="Material"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown.id && <MaterialDetail key={shown.id} id={shown.id} known={shown.known} url={url} />}
    </Drawer>
  );
}
