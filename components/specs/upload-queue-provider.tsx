'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { type SpecUploads, useSpecUploads } from './use-spec-uploads';

const UploadQueueContext = createContext<SpecUploads | null>(null);

/** Holds the upload queue above the pages, so that uploads continue during navigation. */
export function UploadQueueProvider({ children }: { children: ReactNode }) {
  const queue = useSpecUploads();
  return (
    <UploadQueueContext value={queue}>
      {children}
      <Announcer text={queue.announcement?.text} />
    </UploadQueueContext>
  );
}

/** Returns the upload queue of this tab. Throws outside the root layout's providers. */
export function useUploads(): SpecUploads {
  const queue = useContext(UploadQueueContext);
  if (!queue) throw new Error('useUploads needs the UploadQueueProvider of the root layout.');
  return queue;
}
