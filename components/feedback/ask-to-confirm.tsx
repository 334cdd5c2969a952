'use client';

import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

type Question = {
  title: string;
  text: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  cancel?: string;
  /** False for actions that delete nothing and revoke no rights. */
  isDangerous?: boolean;
  onConfirm: () => void;
};

/** Asks the user to confirm an action. Cancel has the focus at first, so that a stray Enter does nothing. */
export function askToConfirm({
  title,
  text,
  action,
  cancel = 'Cancel',
  isDangerous = true,
  onConfirm,
}: Question): void {
  modals.openConfirmModal({
    title,
    children: <Text size="sm">{text}</Text>,
    labels: { confirm: action, cancel },
    confirmProps: isDangerous ? { color: 'red' } : {},
    cancelProps: { 'data-autofocus': true },
    onConfirm,
  });
}
