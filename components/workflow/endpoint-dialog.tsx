'use client';

import { Checkbox, PasswordInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormButtons } from '@/components/form/form-buttons';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { CopyOnce } from '@/components/format/copy-once';
import { focusField } from '@/components/shell/focus-field';
import {
  changeEndpointBody,
  createEndpointBody,
  type EventEndpoint,
  eventTypes,
} from '@/lib/event-endpoints/schema';
import { changeEndpoint, createEndpoint } from './endpoint-calls';
import { eventLabels } from './endpoint-labels';

const fieldNames = ['name', 'url', 'events', 'header.name', 'header.value'] as const;

type FormProps = {
  /** The endpoint to change, or undefined for a new one. */
  endpoint?: EventEndpoint;
  /** `secret` is the signing secret of a new endpoint. */
  onSaved: (secret: string | null) => void;
  onCancel: () => void;
};

function EndpointForm({ endpoint, onSaved, onCancel }: FormProps) {
  const [name, setName] = useState(endpoint?.name ?? '');
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? [...eventTypes]);
  const [headerName, setHeaderName] = useState(endpoint?.headerName ?? '');
  const [headerValue, setHeaderValue] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { busy, failure, setFailure, run } = useRequest();
  const clear = () => {
    setErrors({});
    setFailure(null);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const hasHeader = headerName !== '' || headerValue !== '';
    const parsed = endpoint
      ? changeEndpointBody.safeParse({
          name,
          events,
          header: hasHeader ? { name: headerName, value: headerValue || undefined } : null,
        })
      : createEndpointBody.safeParse({
          name,
          url: url.trim(),
          events,
          header: hasHeader ? { name: headerName, value: headerValue } : undefined,
        });
    if (!parsed.success) {
      const { issues } = parsed.error;
      setErrors(Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), `This ${message}.`])));
      const first = fieldNames.find((name) => issues.some(({ path }) => path.join('.') === name));
      if (first) focusField(event.currentTarget, first);
      return;
    }
    clear();
    await run(async () => {
      if ('url' in parsed.data) return onSaved((await createEndpoint(parsed.data)).secret);
      if (endpoint) await changeEndpoint(endpoint.id, parsed.data);
      onSaved(null);
    });
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
        {!endpoint && (
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
        )}
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
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            name="header.name"
            label="Header name"
            description="Optional, sent with every event."
            placeholder="e.g. x-token"
            value={headerName}
            onChange={(event) => {
              setHeaderName(event.currentTarget.value);
              clear();
            }}
            error={errors['header.name']}
            autoComplete="off"
          />
          <PasswordInput
            name="header.value"
            label="Header value"
            description={
              endpoint?.headerName ? 'Leave empty to keep the value.' : 'A secret that is not shown again.'
            }
            value={headerValue}
            onChange={(event) => {
              setHeaderValue(event.currentTarget.value);
              clear();
            }}
            error={errors['header.value']}
            autoComplete="new-password"
          />
        </SimpleGrid>
        <FormFailure text={failure} />
        <FormButtons action={endpoint ? 'Save' : 'Add'} busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type DialogProps = {
  opened: boolean;
  endpoint?: EventEndpoint;
  onSaved: () => void;
  onClose: () => void;
};

/** Shows a form that adds or changes an endpoint. Then shows a new endpoint's secret, which cannot be shown again. */
export function EndpointDialog({ opened, endpoint, onSaved, onClose }: DialogProps) {
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
      title={secret ? 'Signing secret' : endpoint ? 'Edit endpoint' : 'Add endpoint'}
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
          endpoint={endpoint}
          onSaved={(created) => {
            onSaved();
            if (created) setSecret(created);
            else close();
          }}
          onCancel={close}
        />
      )}
    </FormDialog>
  );
}
