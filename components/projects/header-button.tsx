'use client';

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './project-header.module.css';

type HeaderButtonProps = { icon: ReactNode; label: string; onClick: () => void };

/**
 * Shows a button in the project's header. On a narrow screen, only its icon is visible, to leave room for the project's
 * name.
 */
export function HeaderButton({ icon, label, onClick }: HeaderButtonProps) {
  return (
    <Button variant="default" size="xs" aria-label={label} onClick={onClick}>
      {icon}
      <span className={classes.label}>{label}</span>
    </Button>
  );
}
