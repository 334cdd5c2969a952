'use client';

import { Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPencil, IconWifiOff } from '@tabler/icons-react';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { describeError, isSignedOut } from '@/components/feedback/describe-error';
import type { People } from '../presence/use-people';
import type { Autosave } from '../saving/autosave';
import {
  type AutosaveState,
  isProblem,
  type Recovery,
  recoveryAt,
  type SaveStatus,
  saveStatus,
} from '../saving/autosave-state';

const labels: Record<SaveStatus, string> = {
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving…',
  offline: 'Not saved: offline',
  failed: 'Not saved',
  conflict: 'Changed elsewhere',
};
const icons: Record<SaveStatus, React.ReactNode> = {
  saved: <IconCheck size={14} stroke={1.8} aria-hidden="true" />,
  unsaved: <IconPencil size={14} stroke={1.6} aria-hidden="true" />,
  saving: <Loader size={12} />,
  offline: <IconWifiOff size={14} stroke={1.6} aria-hidden="true" />,
  failed: <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />,
  conflict: <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />,
};

type SaveStateProps = { state: AutosaveState; autosave: Autosave; changesOf: People['changesOf'] };

/** Shows the save status. If it is `failed`, also shows the error and a button to try again or to sign in. */
export function SaveState({ state, autosave, changesOf }: SaveStateProps) {
  const status = saveStatus(state);
  const bad = isProblem(status);
  const error = state.trouble?.kind === 'failed' ? state.trouble.error : null;
  // Announce problems, recovery and merged changes, but not every successful save.
  const [before, setBefore] = useState<Recovery>('none');
  const recovery = recoveryAt(before, status);
  if (recovery !== before) setBefore(recovery);
  const joined = status === 'saved' && state.joined && `with ${changesOf(state.joined.savedBy)}`;
  const recovered = recovery === 'done' ? 'Saved again' : '';
  const spoken = bad ? labels[status] : joined ? `Saved, ${joined}` : recovered;
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <Group gap={4} wrap="nowrap" miw={0} data-save-status={status}>
        {icons[status]}
        <Text size="xs" c={bad ? 'var(--mantine-color-error)' : 'dimmed'} truncate>
          {labels[status]}
          {joined && `, ${joined}`}
          {status === 'offline' && ', stored in this browser'}
          {error !== null && `: ${describeError(error)}`}
        </Text>
      </Group>
      <Announcer text={spoken} />
      {error !== null &&
        (isSignedOut(error) ? (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => {
              const next = `${window.location.pathname}${window.location.search}`;
              window.location.assign(`/sign-in?next=${encodeURIComponent(next)}`);
            }}
          >
            Sign in
          </Button>
        ) : (
          <Button size="compact-xs" variant="default" onClick={autosave.hurry}>
            Try again
          </Button>
        ))}
    </Group>
  );
}
