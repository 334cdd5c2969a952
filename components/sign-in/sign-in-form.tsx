'use client';

import { Alert, Anchor, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AuthApiError } from '@supabase/supabase-js';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
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

/** Signs in with email and password, then opens `next`, a path on this site. */
export function SignInForm({ next }: { next: string }) {
  const config = usePublicConfig();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Enter the email address of your account'),
      password: (value) => (value ? null : 'Enter your password'),
    },
    onSubmitPreventDefault: 'always',
  });

  const signIn = form.onSubmit(
    async ({ email, password }) => {
      setBusy(true);
      setFailure(null);
      const { error } = await loadBrowserClient(config)
        .then(({ auth }) => auth.signInWithPassword({ email: email.trim(), password }))
        .catch((error: unknown) => ({ error }));
      if (error) {
        setBusy(false);
        setFailure(messageFor(error));
        form.getInputNode('password')?.focus();
        return;
      }
      router.replace(next);
      router.refresh();
    },
    (errors) => form.getInputNode(errors.email ? 'email' : 'password')?.focus(),
  );

  return (
    <Paper
      component="form"
      method="post"
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
          key={form.key('email')}
          {...form.getInputProps('email')}
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          key={form.key('password')}
          {...form.getInputProps('password')}
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        />
        <Button type="submit" loading={busy} fullWidth mt="xs">
          Sign in
        </Button>
        <Anchor component={Link} href="/forgot-password" size="sm">
          Forgot password?
        </Anchor>
      </Stack>
    </Paper>
  );
}
