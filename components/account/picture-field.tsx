'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FilePicker } from '@/components/files/file-picker';
import { FormFailure } from '@/components/form/form-failure';
import { useRequest } from '@/components/form/use-request';
import { PersonAvatar } from '@/components/people/person-avatar';
import type { Account } from '@/lib/people/schema';
import { removePicture, uploadPicture } from './account-calls';

/** Shows the user's picture, with buttons that upload and remove it. */
export function PictureField({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const { busy, failure, run } = useRequest();
  const [done, setDone] = useState('');

  const change = async (act: () => Promise<void>, text: string) => {
    setDone('');
    await run(async () => {
      await act();
      setDone(text);
      onChanged();
    });
  };

  return (
    <Stack gap="xs">
      <Group gap="md">
        <PersonAvatar person={account} size={72} />
        <FilePicker
          accept="image/png,image/jpeg,image/webp"
          onFiles={([file]) => file && void change(() => uploadPicture(file), 'The picture was saved.')}
        >
          {(props) => (
            <Button {...props} variant="default" loading={busy}>
              {account.picture ? 'Change picture' : 'Upload picture'}
            </Button>
          )}
        </FilePicker>
        {account.picture && (
          <Button
            variant="default"
            disabled={busy}
            onClick={() => void change(removePicture, 'The picture was removed.')}
          >
            Remove picture
          </Button>
        )}
      </Group>
      <FormFailure text={failure} />
      <Text size="sm" c="dimmed" role="status">
        {done}
      </Text>
    </Stack>
  );
}
