'use client';

import { onDemand } from '@/components/feedback/on-demand';

export const InsertImageDialogOnDemand = onDemand(
  () => import('./insert-image-dialog').then((file) => file.InsertImageDialog),
  { opened: false },
);
