'use client';

import { Anchor, Paper, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { FormFailure } from '@/components/form/form-failure';
import { SubmitButton } from '@/components/form/submit-button';
import { focusField } from '@/components/shell/focus-field';
import { Link } from '@/components/shell/link';
import { usePublicConfig } from '@/hooks/use-public-config';
import { ApiError } from '@/lib/http/client';
import { type LinkInfo, linkBody, linkPasswordBody } from '@/lib/people/schema';
import { consumeLink, readLink } from './account-calls';
import { passwordToggle } from './password-toggle';
import { signInWith } from './sign-in-with';

function watchHash(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** Returns the link's token from the URL fragment. Returns null on the server and during hydration. */
function useLinkToken(): string | null {
  return useSyncExternalStore(
    watchHash,
    () => window.location.hash.slice(1),
    () => null,
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'lg', sm: 'xl' }} maw="26rem" mx="auto" mt={{ base: 'md', sm: '3rem' }}>
      <Stack gap="md">
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  );
}

type FieldsProps = { token: string; link: LinkInfo; onUnusable: () => void };

function PasswordFields({ token, link, onUnusable }: FieldsProps) {
  const config = usePublicConfig();
  const router = useRouter();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const isInvitation = link.purpose === 'invitation';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = linkPasswordBody.safeParse({ token, password, ...(name.trim() ? { name } : {}) });
    if (!parsed.success) {
      const { issues } = parsed.error;
      setErrors(
        Object.fromEntries(
          issues.map(({ path, message }) => [path[0], `The ${String(path[0])} ${message}.`]),
        ),
      );
      focusField(event.currentTarget, issues.some(({ path }) => path[0] === 'name') ? 'name' : 'password');
      return;
    }
    setBusy(true);
    setErrors({});
    try {
      const email = await consumeLink({ token, password, name });
      router.replace((await signInWith(config, email, password)) ? '/' : '/sign-in');
      router.refresh();
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 'not_found') onUnusable();
      else setErrors({ form: describeError(error) });
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text c="dimmed">For {link.email}</Text>
        <input type="hidden" name="username" autoComplete="username" value={link.email} readOnly />
        {isInvitation && (
          <TextInput
            name="name"
            label="Your name"
            description="Optional. Your colleagues see it."
            autoComplete="name"
            value={name}
            error={errors.name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setErrors({});
            }}
          />
        )}
        <PasswordInput
          name="password"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          value={password}
          error={errors.password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setErrors({});
          }}
          visibilityToggleButtonProps={passwordToggle}
        />
        <FormFailure text={errors.form} />
        <SubmitButton loading={busy} fullWidth>
          {isInvitation ? 'Join' : 'Save and sign in'}
        </SubmitButton>
      </Stack>
    </form>
  );
}

/**
 * Checks the link in the URL and asks for a new password and, for an invitation, a name. Then saves them and signs in.
 */
export function SetPasswordForm() {
  const token = useLinkToken();
  const isWhole = linkBody.safeParse({ token }).success;
  const link = useQuery({
    queryKey: ['account-link', token],
    queryFn: ({ signal }) => readLink(token ?? '', signal),
    enabled: isWhole,
  });
  const isUnusable =
    (token !== null && !isWhole) || (link.error instanceof ApiError && link.error.code === 'not_found');
  if (isUnusable) {
    return (
      <Frame title="This link does not work">
        <Text>It has expired, was already used, or is not complete.</Text>
        <Anchor component={Link} href="/forgot-password">
          Get a new link
        </Anchor>
      </Frame>
    );
  }
  return (
    <Frame title={link.data?.purpose === 'invitation' ? 'Welcome to Atelier' : 'New password'}>
      {link.error && (
        <ErrorAlert
          title="The link could not be checked"
          error={link.error}
          onRetry={() => void link.refetch()}
        />
      )}
      {link.data && token ? (
        <PasswordFields token={token} link={link.data} onUnusable={() => void link.refetch()} />
      ) : (
        !link.error && <Skeleton h={120} role="status" aria-label="Loading" />
      )}
    </Frame>
  );
}
