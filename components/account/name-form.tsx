'use client';

import { Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldValue } from '@/components/form/field-value';
import { SubmitButton } from '@/components/form/submit-button';
import { useRequest } from '@/components/form/use-request';
import { type Account, accountBody } from '@/lib/people/schema';
import { saveName } from './account-calls';

/** Asks for the user's name, which other users see. */
export function NameForm({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { busy, failure, setFailure, run } = useRequest();
  const [done, setDone] = useState('');

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = fieldValue(event.currentTarget, 'name');
    const parsed = accountBody.safeParse(name.trim() ? { name } : {});
    if (!parsed.success) {
      setFailure(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      return;
    }
    await run(async () => {
      await saveName(parsed.data.name ?? '');
      setDone('The name was saved.');
      onChanged();
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TextInput
          name="name"
          label="Name"
          flex={1}
          defaultValue={account.name ?? ''}
          autoComplete="name"
          error={failure}
          onChange={() => {
            setFailure(null);
            setDone('');
          }}
        />
        <SubmitButton variant="default" mt={25} loading={busy}>
          Save
        </SubmitButton>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {done}
      </Text>
    </form>
  );
}
