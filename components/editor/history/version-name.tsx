'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { showError } from '@/components/feedback/show-error';
import { SubmitButton } from '@/components/form/submit-button';
import { useOnline } from '@/hooks/use-online';

type VersionNameProps = {
  /** The name of the version; null if it has none. */
  name: string | null;
  onSave: (name: string | null) => Promise<void>;
};

/** A button that opens a field for the name of a version. */
export function VersionName({ name, onSave }: VersionNameProps) {
  const online = useOnline();
  const [typed, setTyped] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (next: string | null) => {
    setBusy(true);
    try {
      await onSave(next);
      setTyped(null);
    } catch (error) {
      showError('The name could not be saved', error);
    } finally {
      setBusy(false);
    }
  };
  if (typed === null) {
    return (
      <Button size="xs" variant="default" disabled={!online} onClick={() => setTyped(name ?? '')}>
        {name === null ? 'Name this version' : 'Rename'}
      </Button>
    );
  }
  const value = typed.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== '') void save(value);
      }}
    >
      <Group gap="xs" align="end">
        <TextInput
          size="xs"
          label="Name"
          maxLength={100}
          value={typed}
          autoFocus
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <SubmitButton size="xs" loading={busy} disabled={!online || value === ''}>
          Save
        </SubmitButton>
        {name !== null && (
          <Button size="xs" variant="default" disabled={!online || busy} onClick={() => void save(null)}>
            Remove name
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setTyped(null)}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
