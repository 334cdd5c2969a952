import { SetPasswordForm } from '@/components/account/set-password-form';
import { SiteShell } from '@/components/shell/site-shell';

export const metadata = { title: 'New password' };

/** Asks for a new password. The link's secret is in the URL fragment, which browsers do not send to the server. */
export default function SetPasswordPage() {
  return (
    <SiteShell account={null}>
      <SetPasswordForm />
    </SiteShell>
  );
}
