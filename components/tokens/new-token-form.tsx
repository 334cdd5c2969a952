'use client';

import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { describeNameProblem } from '@/components/form/describe-name-problem';
import { FormButtons } from '@/components/form/form-buttons';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { focusField } from '@/components/shell/focus-field';
import { type CreatedToken, createTokenBody, tokenKind, tokenRole } from '@/lib/tokens/schema';
import { createToken } from './token-calls';
import { tokenExpiryChoices, tokenRoleChoices } from './token-labels';

type NewTokenFormProps = {
  isAdmin: boolean;
  onCreated: (created: CreatedToken) => void;
  onCancel: () => void;
};

/** Shows a form that creates an access token. Only administrators can create a token that acts for a service. */
export function NewTokenForm({ isAdmin, onCreated, onCancel }: NewTokenFormProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<CreatedToken['kind']>('personal');
  const [role, setRole] = useState<CreatedToken['role']>('viewer');
  const [days, setDays] = useState('90');
  const [nameError, setNameError] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();
  const choices = tokenRoleChoices.filter(({ value }) => isAdmin || value !== 'admin');

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = createTokenBody.safeParse({ name, kind, role, expiresInDays: Number(days) });
    if (!parsed.success) {
      setNameError(describeNameProblem(name, parsed.error.issues[0]?.message));
      focusField(event.currentTarget, 'name');
      return;
    }
    await run(async () => onCreated(await createToken(parsed.data)));
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          name="name"
          label="Name"
          description="What uses the token."
          placeholder="e.g. Nightly upload"
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setNameError(null);
          }}
          error={nameError}
          autoComplete="off"
          data-autofocus
        />
        {isAdmin && (
          <Radio.Group label="Acts for" value={kind} onChange={(value) => setKind(tokenKind.parse(value))}>
            <Stack gap="xs" mt="xs">
              <Radio
                value="personal"
                label="You"
                description="Has your rights, at most those of its role. Ends with your account."
              />
              <Radio
                value="service"
                label="A service of the studio"
                description="Has its role in every project. Stays valid when you leave."
              />
            </Stack>
          </Radio.Group>
        )}
        <Select
          label="Role"
          description={choices.find(({ value }) => value === role)?.allows}
          data={choices.map(({ value, label }) => ({ value, label }))}
          value={role}
          allowDeselect={false}
          onChange={(value) => setRole(tokenRole.parse(value))}
        />
        <Select
          label="Expires in"
          data={tokenExpiryChoices}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '90')}
        />
        <FormFailure text={failure} />
        <FormButtons action="Create" busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
