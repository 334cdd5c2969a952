import { SetPasswordForm } from '@/components/account/set-password-form';
import { SiteShell } from '@/components/shell/site-shell';

export const metadata = { title: 'New password' };

/** Asks for a new password. The secret of the link is the part of the URL after `#`, which only the browser has. */
export default function SetPasswordPage() {
  return (
    <SiteShell account={null}>
      <SetPasswordForm />
    </SiteShell>
  );
}
