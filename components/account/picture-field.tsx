'use client';

import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { PersonAvatar } from '@/components/people/person-avatar';
import type { Account } from '@/lib/people/schema';
import { removePicture, uploadPicture } from './account-calls';

/** Shows the user's picture, with buttons that upload and remove it. */
export function PictureField({ account, onChanged }: { account: Account; onChanged: () => void }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [done, setDone] = useState('');

  const change = async (act: () => Promise<void>, text: string) => {
    setBusy(true);
    setFailure(null);
    setDone('');
    try {
      await act();
      setDone(text);
      onChanged();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Stack gap="xs">
      <Group gap="md">
        <PersonAvatar {...account} size={72} />
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && void change(() => uploadPicture(file), 'The picture was saved.')}
        >
          {(props) => (
            <Button {...props} variant="default" loading={busy}>
              {account.picture ? 'Change picture' : 'Upload picture'}
            </Button>
          )}
        </FileButton>
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
      {failure && (
        <Text size="sm" c="red" role="alert">
          {failure}
        </Text>
      )}
      <Text size="sm" c="dimmed" role="status">
        {done}
      </Text>
    </Stack>
  );
}
