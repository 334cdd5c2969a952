'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { isFull, isPicked, TRAY_SIZE, type Tray, type TrayMaterial } from './tray-state';
import { useTrayStore } from './use-tray-store';

export type MaterialTray = Tray & {
  /** Removes the material if it is in the tray. Otherwise, adds it or, if the tray is full, sets `refused`. */
  toggle: (material: TrayMaterial) => void;
  remove: (id: string) => void;
  clear: () => void;
  takeBack: () => void;
  dismiss: () => void;
  /** True after a material was refused because the tray is full. The next change to the tray resets it to false. */
  refused: boolean;
};

const TrayContext = createContext<MaterialTray | null>(null);

/** Provides the user's material tray to the components below. */
export function TrayProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const { tray, dispatch } = useTrayStore(userId);
  const [announcement, setAnnouncement] = useState<string>();
  const [refusedBy, setRefusedBy] = useState<Tray | null>(null);
  const value = useMemo<MaterialTray>(
    () => ({
      ...tray,
      refused: refusedBy === tray,
      toggle: (material) => {
        if (isPicked(tray, material.id)) {
          dispatch({ type: 'removed', id: material.id });
          setAnnouncement(`${material.name} was removed from the tray.`);
        } else if (isFull(tray)) {
          setRefusedBy(tray);
          setAnnouncement(`Tray is full (${TRAY_SIZE}). Remove one first.`);
        } else {
          dispatch({ type: 'picked', material });
          setAnnouncement(
            `${material.name} was added to the tray, ${tray.materials.length + 1} of ${TRAY_SIZE}.`,
          );
        }
      },
      remove: (id) => {
        dispatch({ type: 'removed', id });
        setAnnouncement('Removed from the tray.');
      },
      clear: () => {
        dispatch({ type: 'cleared' });
        setAnnouncement('The tray was cleared.');
      },
      takeBack: () => {
        dispatch({ type: 'undone' });
        setAnnouncement('Restored.');
      },
      dismiss: () => dispatch({ type: 'dismissed' }),
    }),
    [tray, dispatch, refusedBy],
  );
  return (
    <TrayContext value={value}>
      {children}
      <Announcer text={announcement} />
    </TrayContext>
  );
}

/** Returns the material tray. Throws outside of a `TrayProvider`. */
export function useMaterialTray(): MaterialTray {
  const tray = useContext(TrayContext);
  if (!tray) throw new Error('useMaterialTray needs a TrayProvider.');
  return tray;
}
