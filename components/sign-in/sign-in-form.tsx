'use client';

import { Alert, Anchor, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import type { AuthApiError } from '@supabase/supabase-js';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { passwordToggle } from '@/components/account/password-toggle';
import { fieldValue } from '@/components/form/field-value';
import { SubmitButton } from '@/components/form/submit-button';
import { focusField } from '@/components/shell/focus-field';
import { Link } from '@/components/shell/link';
import { loadBrowserClient } from '@/hooks/load-browser-client';
import { usePublicConfig } from '@/hooks/use-public-config';

function isApiError(error: unknown): error is AuthApiError {
  return error instanceof Error && error.name === 'AuthApiError';
}

function messageFor(error: unknown): string {
  // Compare the error's name instead of calling `isAuthApiError`, whose import would load the Supabase library.
  if (!isApiError(error)) return "Can't reach the sign-in service. Try again in a moment.";
  if (error.code === 'email_not_confirmed') return 'This email address has not been confirmed yet.';
  if (error.code === 'user_banned') return 'This account is disabled. Contact your studio administrator.';
  if (error.status === 429) return 'Too many attempts. Wait a minute, then try again.';
  if (error.status < 500) return 'Wrong email or password.';
  return 'Sign-in is unavailable right now. Try again in a moment.';
}

const errorsOf = (email: string, password: string): { email?: string; password?: string } => ({
  ...(/^\S+@\S+$/.test(email) ? {} : { email: 'Enter the email address of your account' }),
  ...(password ? {} : { password: 'Enter your password' }),
});

/** Signs in with email and password, then opens `next`, a path on this site. */
export function SignInForm({ next }: { next: string }) {
  const config = usePublicConfig();
  const router = useRouter();
  const [errors, setErrors] = useState<ReturnType<typeof errorsOf>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const email = fieldValue(form, 'email').trim();
    const password = fieldValue(form, 'password');
    const found = errorsOf(email, password);
    setErrors(found);
    const [wrong] = Object.keys(found);
    if (wrong) {
      focusField(form, wrong);
      return;
    }
    setBusy(true);
    setFailure(null);
    const { error } = await loadBrowserClient(config)
      .then(({ auth }) => auth.signInWithPassword({ email, password }))
      .catch((error: unknown) => ({ error }));
    if (error) {
      setBusy(false);
      setFailure(messageFor(error));
      focusField(form, 'password');
      return;
    }
    router.replace(next);
    router.refresh();
  };

  return (
    <Paper
      component="form"
      noValidate
      withBorder
      onSubmit={signIn}
      // Load the library while the person types.
      onFocus={() => void loadBrowserClient(config).catch(() => undefined)}
      p={{ base: 'lg', sm: 'xl' }}
      maw="26rem"
      mx="auto"
      mt={{ base: 'md', sm: '3rem' }}
    >
      <Stack gap="md">
        <div>
          <Title order={1}>Sign in</Title>
          <Text c="dimmed" mt={4}>
            Your studio's specs, images and documents.
          </Text>
        </div>
        {failure && (
          <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle size={20} />}>
            {failure}
          </Alert>
        )}
        <TextInput
          name="email"
          error={errors.email}
          onChange={() => setErrors({})}
          type="email"
          label="Email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          error={errors.password}
          onChange={() => setErrors({})}
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={passwordToggle}
        />
        <SubmitButton loading={busy} fullWidth mt="xs">
          Sign in
        </SubmitButton>
        <Anchor component={Link} href="/forgot-password" size="sm">
          Forgot password?
        </Anchor>
      </Stack>
    </Paper>
  );
}
