'use client';

import { Button, Checkbox, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { CopyOnce } from '@/components/format/copy-once';
import { focusField } from '@/components/shell/focus-field';
import { createEndpointBody, eventTypes } from '@/lib/event-endpoints/schema';
import { createEndpoint } from './endpoint-calls';
import { eventLabels } from './endpoint-labels';

const fieldNames = ['name', 'url', 'events'] as const;

type FormProps = {
  busy: boolean;
  onBusy: (busy: boolean) => void;
  onCreated: (secret: string) => void;
  onCancel: () => void;
};

function EndpointForm({ busy, onBusy, onCreated, onCancel }: FormProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([...eventTypes]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const clear = () => setErrors({});

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = createEndpointBody.safeParse({ name, url: url.trim(), events });
    if (!parsed.success) {
      const { issues } = parsed.error;
      setErrors(Object.fromEntries(issues.map(({ path, message }) => [path[0], `This ${message}.`])));
      const first = fieldNames.find((name) => issues.some(({ path }) => path[0] === name));
      if (first) focusField(event.currentTarget, first);
      return;
    }
    onBusy(true);
    clear();
    try {
      onCreated((await createEndpoint(parsed.data)).secret);
    } catch (error) {
      setErrors({ form: describeError(error) });
    } finally {
      onBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          name="name"
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
          name="url"
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
          <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} name="events" value={type} label={eventLabels[type]} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        {errors.form && (
          <Text size="sm" c="red" role="alert">
            {errors.form}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={busy}>
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

/** Shows a form that adds an endpoint, then shows the endpoint's secret, which cannot be shown again. */
export function AddEndpointDialog({ opened, onAdded, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    // Stay open while the request runs: the secret in its response cannot be shown again.
    if (busy) return;
    setSecret(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      // A stray click or key must not hide a secret that cannot be shown again.
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
      title={secret ? 'Signing secret' : 'Add endpoint'}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
    >
      {secret ? (
        <CopyOnce
          noun="secret"
          value={secret}
          notice="It is not shown again. The endpoint needs it to verify the signature of events."
          onDone={close}
        />
      ) : (
        <EndpointForm
          onCreated={(created) => {
            setSecret(created);
            onAdded();
          }}
          busy={busy}
          onBusy={setBusy}
          onCancel={close}
        />
      )}
    </Modal>
  );
}
