'use client';

import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { CopyableCode } from '@/components/format/copyable-code';
import { createEndpointBody, eventTypes } from '@/lib/workflow/endpoints/schema';
import { createEndpoint } from './endpoint-calls';
import { eventWords } from './endpoint-words';

type FormProps = { onCreated: (secret: string) => void; onClose: () => void };

function EndpointForm({ onCreated, onClose }: FormProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([...eventTypes]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const clear = () => setErrors({});

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const parsed = createEndpointBody.safeParse({ name, url: url.trim(), events });
    if (!parsed.success) {
      const found = parsed.error.issues.map(({ path, message }) => [String(path[0]), `This ${message}.`]);
      setErrors(Object.fromEntries(found));
      return;
    }
    setBusy(true);
    clear();
    try {
      onCreated((await createEndpoint(parsed.data)).secret);
    } catch (error) {
      setErrors({ form: describeError(error) });
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="e.g. Project tracker"
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            clear();
          }}
          error={errors.name}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          type="url"
          label="URL"
          placeholder="https://tracker.example.com/hooks/atelier"
          value={url}
          onChange={(event) => {
            setUrl(event.currentTarget.value);
            clear();
          }}
          error={errors.url}
          autoComplete="off"
        />
        <Checkbox.Group
          label="Events"
          value={events}
          onChange={(value) => {
            setEvents(value);
            clear();
          }}
          error={errors.events}
        >
          <SimpleGrid cols={2} mt="xs" spacing="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} value={type} label={eventWords[type]} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        {errors.form && (
          <Text size="sm" c="red" role="alert">
            {errors.form}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Add
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type DialogProps = { opened: boolean; onAdded: () => void; onClose: () => void };

/** Adds an endpoint, then shows its secret, which cannot be shown again. */
export function AddEndpointDialog({ opened, onAdded, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      // A click beside the dialog must not hide the secret for good.
      closeOnClickOutside={secret === null}
      title={secret ? 'Signing secret' : 'New endpoint'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {secret ? (
        <Stack gap="md">
          <Text size="sm">
            Copy the secret now: it is not shown again. The endpoint needs it to verify the signature of
            events.
          </Text>
          <CopyableCode value={secret} label="Copy the secret" />
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              Done
            </Button>
          </Group>
        </Stack>
      ) : (
        <EndpointForm
          onCreated={(created) => {
            setSecret(created);
            onAdded();
          }}
          onClose={close}
        />
      )}
    </Modal>
  );
}
