'use client';

import { Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useRequest } from '@/components/form/use-request';
import { type Account, accountBody } from '@/lib/people/schema';
import { saveName } from './account-calls';

/** Asks for the user's name, which the other people in the studio see. */
export function NameForm({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const [name, setName] = useState(account.name ?? '');
  const { busy, failure, setFailure, run } = useRequest();
  const [done, setDone] = useState('');

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = accountBody.safeParse(name.trim() ? { name } : {});
    if (!parsed.success) {
      setFailure(`The name ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
      return;
    }
    await run(async () => {
      setName((await saveName(parsed.data.name ?? '')).name ?? '');
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
          value={name}
          autoComplete="name"
          error={failure}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFailure(null);
            setDone('');
          }}
        />
        <Button type="submit" variant="default" mt={25} loading={busy}>
          Save
        </Button>
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {done}
      </Text>
    </form>
  );
}
