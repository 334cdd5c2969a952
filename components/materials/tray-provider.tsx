'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { useTrayStore } from '@/hooks/use-tray-store';
import { isFull, isPicked, TRAY_SIZE, type Tray, type TrayMaterial } from './tray-state';

export type MaterialTray = Tray & {
  /** Picks it, or takes it away when it is picked already. A full tray says so and stays as it is. */
  toggle: (material: TrayMaterial) => void;
  remove: (id: string) => void;
  clear: () => void;
  takeBack: () => void;
  dismiss: () => void;
  /** True after a pick that found no room, until the next change. */
  refused: boolean;
};

const TrayContext = createContext<MaterialTray | null>(null);

/** The picked materials of this person, for all that stands below. */
export function TrayProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const { tray, dispatch } = useTrayStore(userId);
  const [said, setSaid] = useState<string>();
  const [refusedBy, setRefusedBy] = useState<Tray | null>(null);
  const value = useMemo<MaterialTray>(
    () => ({
      ...tray,
      refused: refusedBy === tray,
      toggle: (material) => {
        if (isPicked(tray, material.id)) {
          dispatch({ type: 'removed', id: material.id });
          setSaid(`${material.name} was removed from the tray.`);
        } else if (isFull(tray)) {
          setRefusedBy(tray);
          setSaid(`The tray is full: it holds ${TRAY_SIZE} materials.`);
        } else {
          dispatch({ type: 'picked', material });
          setSaid(`${material.name} was picked, ${tray.materials.length + 1} of ${TRAY_SIZE}.`);
        }
      },
      remove: (id) => {
        dispatch({ type: 'removed', id });
        setSaid('Removed from the tray.');
      },
      clear: () => {
        dispatch({ type: 'cleared' });
        setSaid('The tray was cleared.');
      },
      takeBack: () => {
        dispatch({ type: 'undone' });
        setSaid('The tray is as it was.');
      },
      dismiss: () => dispatch({ type: 'dismissed' }),
    }),
    [tray, dispatch, refusedBy],
  );
  return (
    <TrayContext value={value}>
      {children}
      <Announcer text={said} />
    </TrayContext>
  );
}

/** The picked materials. Throws outside of a `TrayProvider`. */
export function useMaterialTray(): MaterialTray {
  const tray = useContext(TrayContext);
  if (!tray) throw new Error('useMaterialTray needs a TrayProvider.');
  return tray;
}
