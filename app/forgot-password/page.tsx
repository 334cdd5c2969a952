import { ForgotPasswordForm } from '@/components/account/forgot-password-form';
import { SiteShell } from '@/components/shell/site-shell';
import { serverEnv } from '@/lib/env/server';

export const metadata = { title: 'Forgot password' };
// The setting is that of the running process, not of the build.
export const dynamic = 'force-dynamic';

/** Sends a link to a new password. */
export default function ForgotPasswordPage() {
  return (
    <SiteShell account={null}>
      <ForgotPasswordForm sendsMail={serverEnv().SMTP_URL !== undefined} />
    </SiteShell>
  );
}
