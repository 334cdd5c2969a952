'use client';

import { useWindowEvent } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { createSpecUploads, type SpecUploads } from './spec-uploads';
import { emptyUploadTray, isBusy, type UploadTrayState } from './upload-tray-state';

const UploadQueueContext = createContext<SpecUploads | null>(null);

/** Holds the upload queue outside the pages, so that uploads continue during navigation. */
export function UploadQueueProvider({ children }: { children: ReactNode }) {
  const [uploads] = useState(createSpecUploads);
  useEffect(() => uploads.stop, [uploads]);
  useWindowEvent('online', uploads.resume);
  return (
    <UploadQueueContext value={uploads}>
      {children}
      <UploadAnnouncer />
    </UploadQueueContext>
  );
}

/** Announces upload events. While uploads are queued or in progress, warns the user before they leave the site. */
function UploadAnnouncer() {
  const state = useUploadState();
  const busy = isBusy(state);
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [busy]);
  return <Announcer text={state.announcement?.text} />;
}

/** Returns the upload queue of this tab. Throws if called outside `UploadQueueProvider`. */
export function useUploads(): SpecUploads {
  const uploads = useContext(UploadQueueContext);
  if (!uploads) throw new Error('useUploads needs the UploadQueueProvider of the app layout.');
  return uploads;
}

/** Returns the files of the upload queue with their current states. */
export function useUploadState(): UploadTrayState {
  const { subscribe, get } = useUploads();
  return useSyncExternalStore(subscribe, get, () => emptyUploadTray);
}
