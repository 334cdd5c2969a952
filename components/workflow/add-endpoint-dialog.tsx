'use client';

import { Checkbox, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormButtons } from '@/components/form/form-buttons';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { CopyOnce } from '@/components/format/copy-once';
import { focusField } from '@/components/shell/focus-field';
import { createEndpointBody, eventTypes } from '@/lib/event-endpoints/schema';
import { createEndpoint } from './endpoint-calls';
import { eventLabels } from './endpoint-labels';

const fieldNames = ['name', 'url', 'events'] as const;

type FormProps = { onCreated: (secret: string) => void; onCancel: () => void };

function EndpointForm({ onCreated, onCancel }: FormProps) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([...eventTypes]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { busy, failure, setFailure, run } = useRequest();
  const clear = () => {
    setErrors({});
    setFailure(null);
  };

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
    clear();
    await run(async () => onCreated((await createEndpoint(parsed.data)).secret));
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
        <FormFailure text={failure} />
        <FormButtons action="Add" busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type DialogProps = { opened: boolean; onAdded: () => void; onClose: () => void };

/** Shows a form that adds an endpoint. Then shows the new endpoint's secret, which cannot be shown again. */
export function AddEndpointDialog({ opened, onAdded, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => {
    setSecret(null);
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      // A stray click or key must not hide a secret that cannot be shown again.
      closeOnClickOutside={secret === null}
      closeOnEscape={secret === null}
      title={secret ? 'Signing secret' : 'Add endpoint'}
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
          onCancel={close}
        />
      )}
    </FormDialog>
  );
}
