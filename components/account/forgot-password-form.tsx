'use client';

import { Alert, Anchor, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconMail } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { fieldValue } from '@/components/form/field-value';
import { SubmitButton } from '@/components/form/submit-button';
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
  const [invalid, setInvalid] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();
  const [sentTo, setSentTo] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = resetBody.safeParse({ email: fieldValue(event.currentTarget, 'email').trim() });
    if (!parsed.success) {
      setInvalid('Enter the email address of your account');
      focusField(event.currentTarget, 'email');
      return;
    }
    await run(async () => {
      await requestReset(parsed.data.email);
      setSentTo(parsed.data.email);
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
        {sentTo && (
          <Alert role="status" variant="outline" icon={<IconMail size={20} />} title="Check your email">
            If {sentTo} has an account, a link to a new password is on its way. It works for an hour.
          </Alert>
        )}
        {sendsMail && !sentTo && (
          <>
            <TextInput
              name="email"
              type="email"
              label="Email"
              autoComplete="username"
              autoFocus
              error={invalid}
              onChange={() => setInvalid(null)}
            />
            <SubmitButton loading={busy} fullWidth>
              Send link
            </SubmitButton>
          </>
        )}
        <Anchor component={Link} href="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      </Stack>
    </Paper>
  );
}
