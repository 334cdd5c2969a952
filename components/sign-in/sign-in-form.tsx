'use client';

import type { AuthApiError } from '@supabase/supabase-js';
import { type FormEvent, useState } from 'react';
import { fieldValue } from '@/components/form/field-value';
import { focusField } from '@/components/shell/focus-field';
import button from '@/components/shell/plain-button.module.css';
import { loadBrowserClient } from '@/hooks/load-browser-client';
import { useHydrated } from '@/hooks/use-hydrated';
import type { PublicConfig } from '@/lib/env/public';
import { Field } from './field';
import classes from './sign-in-form.module.css';

function isApiError(error: unknown): error is AuthApiError {
  // Compare the error's name instead of calling `isAuthApiError`, whose import would load the Supabase library.
  return error instanceof Error && error.name === 'AuthApiError';
}

function messageFor(error: unknown): string {
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

/**
 * Signs in with email and password, then opens `next`, a path on this site. Uses plain elements, because the page does
 * not load Mantine.
 */
export function SignInForm({ next, config }: { next: string; config: PublicConfig }) {
  const hydrated = useHydrated();
  const [errors, setErrors] = useState<ReturnType<typeof errorsOf>>({});
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPasswordVisible, setPasswordVisible] = useState(false);

  const signIn = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
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
    window.location.replace(next);
  };

  return (
    <form
      noValidate
      onSubmit={signIn}
      // Load the library while the person types.
      onFocus={() => void loadBrowserClient(config).catch(() => undefined)}
      className={classes.form}
    >
      <div>
        <h1>Sign in</h1>
        <p className={classes.lead}>Your studio's specs, images and documents.</p>
      </div>
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
      <Field
        name="email"
        type="email"
        label="Email"
        error={errors.email}
        autoComplete="username"
        autoFocus
        onChange={() => setErrors({})}
      />
      <Field
        name="password"
        type={isPasswordVisible ? 'text' : 'password'}
        label="Password"
        error={errors.password}
        autoComplete="current-password"
        onChange={() => setErrors({})}
      >
        <button
          type="button"
          aria-label={isPasswordVisible ? 'Hide password' : 'Show password'}
          onClick={() => setPasswordVisible(!isPasswordVisible)}
          className={classes.toggle}
        >
          {isPasswordVisible ? 'Hide' : 'Show'}
        </button>
      </Field>
      {/* Disabled until React handles the form. Until then, browsers would submit it with the password in the URL. */}
      <button
        type="submit"
        disabled={!hydrated}
        aria-busy={busy}
        aria-disabled={busy}
        className={`${button.button} ${classes.submit}`}
      >
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <a href="/forgot-password" className={classes.link}>
        Forgot password?
      </a>
    </form>
  );
}
