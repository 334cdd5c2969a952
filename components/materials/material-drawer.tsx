'use client';

import { useMemo } from 'react';
import { SideDrawer } from '@/components/feedback/side-drawer';
import { useLastKnown } from '@/hooks/use-last-known';
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

export function MaterialDrawer({ id, known, url, onClose, onClosed }: MaterialDrawerProps) {
  const open = useMemo(() => (id ? { id, known } : undefined), [id, known]);
  // Keep showing the last material during the closing transition.
  const shown = useLastKnown(open, null);
  return (
    <SideDrawer
      opened={id !== null}
      onClose={onClose}
      onExitTransitionEnd={() => shown && onClosed(shown.id)}
      size="34rem"
      title="Material"
    >
      {shown && <MaterialDetail key={shown.id} id={shown.id} known={shown.known} url={url} />}
    </SideDrawer>
  );
}
