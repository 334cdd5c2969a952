'use client';

import { Alert, Anchor, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconMail } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useRequest } from '@/components/form/use-request';
import { focusField } from '@/components/shell/focus-field';
import { Link } from '@/components/shell/link';
import { resetBody } from '@/lib/people/schema';
import { requestReset } from './account-calls';

/**
 * Asks for an email address and requests a link to set a new password. If this installation sends no email, refers the
 * user to an administrator instead.
 */
export function ForgotPasswordForm({ sendsMail }: { sendsMail: boolean }) {
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();
  const [sent, setSent] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = resetBody.safeParse({ email: email.trim() });
    if (!parsed.success) {
      setInvalid('Enter the email address of your account');
      focusField(event.currentTarget, 'email');
      return;
    }
    await run(async () => {
      await requestReset(parsed.data.email);
      setSent(true);
    });
  };

  return (
    <Paper
      component="form"
      noValidate
      withBorder
      onSubmit={submit}
      p={{ base: 'lg', sm: 'xl' }}
      maw="26rem"
      mx="auto"
      mt={{ base: 'md', sm: '3rem' }}
    >
      <Stack gap="md">
        <Title order={1}>Forgot password</Title>
        {!sendsMail && <Text>Ask an administrator of your studio for a link to a new password.</Text>}
        {failure && (
          <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle size={20} />}>
            {failure}
          </Alert>
        )}
        {sent && (
          <Alert role="status" variant="outline" icon={<IconMail size={20} />} title="Check your email">
            If {email.trim()} has an account, a link to a new password is on its way. It works for an hour.
          </Alert>
        )}
        {sendsMail && !sent && (
          <>
            <TextInput
              name="email"
              type="email"
              label="Email"
              autoComplete="username"
              autoFocus
              value={email}
              error={invalid}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
                setInvalid(null);
              }}
            />
            <Button type="submit" loading={busy} fullWidth>
              Send link
            </Button>
          </>
        )}
        <Anchor component={Link} href="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      </Stack>
    </Paper>
  );
}
