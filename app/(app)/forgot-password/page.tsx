import { ForgotPasswordForm } from '@/components/account/forgot-password-form';
import { SiteShell } from '@/components/shell/site-shell';
import { serverEnv } from '@/lib/env/server';

export const metadata = { title: 'Forgot password' };
// Whether the app sends email depends on a runtime setting, so the page must not be rendered at build time.
export const dynamic = 'force-dynamic';

/** Shows the form that requests an email with a link to set a new password. */
export default function ForgotPasswordPage() {
  return (
    <SiteShell account={null}>
      <ForgotPasswordForm sendsMail={serverEnv().SMTP_URL !== undefined} />
    </SiteShell>
  );
}
