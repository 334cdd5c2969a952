'use client';

import { onDemand } from '@/components/feedback/on-demand';

export const MaterialsDialogOnDemand = onDemand(
  () => import('./materials-dialog').then((file) => file.MaterialsDialog),
  { opened: false },
);
