'use client';

import { PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { fieldValue } from '@/components/form/field-value';
import { FormFailure } from '@/components/form/form-failure';
import { SubmitButton } from '@/components/form/submit-button';
import { focusField } from '@/components/shell/focus-field';
import { usePublicConfig } from '@/hooks/use-public-config';
import { ApiError } from '@/lib/http/client';
import { password as passwordSchema } from '@/lib/people/schema';
import { changePassword } from './account-calls';
import { passwordToggle } from './password-toggle';
import { signInWith } from './sign-in-with';

const isWrong = (error: unknown) => error instanceof ApiError && error.code === 'wrong_password';

/** Asks for the current and a new password, changes the password, and signs in again with the new one. */
export function PasswordForm({ email }: { email: string }) {
  const config = usePublicConfig();
  const router = useRouter();
  const [errors, setErrors] = useState<{ current?: string; next?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState('');

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const current = fieldValue(form, 'currentPassword');
    const parsed = passwordSchema.safeParse(fieldValue(form, 'newPassword'));
    if (current === '' || !parsed.success) {
      setErrors({
        ...(current === '' ? { current: 'Enter your current password' } : {}),
        ...(parsed.success ? {} : { next: `The password ${parsed.error.issues[0]?.message}.` }),
      });
      focusField(form, current === '' ? 'currentPassword' : 'newPassword');
      return;
    }
    setBusy(true);
    setErrors({});
    try {
      await changePassword({ currentPassword: current, newPassword: parsed.data });
      // Changing the password has also signed out this session.
      if (!(await signInWith(config, email, parsed.data))) {
        router.replace('/sign-in?next=/account');
        return;
      }
      form.reset();
      setDone('The password was changed. Your other sessions are signed out.');
    } catch (error) {
      if (isWrong(error)) {
        setErrors({ current: 'This is not your current password.' });
        focusField(form, 'currentPassword');
      } else setErrors({ form: describeError(error) });
    } finally {
      setBusy(false);
    }
  };

  const clearMessages = () => {
    setErrors({});
    setDone('');
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Title order={2} size="h3">
          Password
        </Title>
        {/* Identifies the account for password managers. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          error={errors.current}
          onChange={clearMessages}
          visibilityToggleButtonProps={passwordToggle}
        />
        <PasswordInput
          name="newPassword"
          label="New password"
          description="At least 10 characters."
          autoComplete="new-password"
          error={errors.next}
          onChange={clearMessages}
          visibilityToggleButtonProps={passwordToggle}
        />
        <FormFailure text={errors.form} />
        <div>
          <SubmitButton variant="default" loading={busy}>
            Change password
          </SubmitButton>
        </div>
        <Text size="sm" c="dimmed" role="status">
          {done}
        </Text>
      </Stack>
    </form>
  );
}
