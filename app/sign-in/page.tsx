import { redirect } from 'next/navigation';
import { SiteShell } from '@/components/shell/site-shell';
import { nextPath } from '@/components/sign-in/next-path';
import { SignInForm } from '@/components/sign-in/sign-in-form';
import { pageCaller } from '@/lib/auth/page-caller';

export const metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  if (await pageCaller()) redirect(next);
  return (
    <SiteShell account={null}>
      <SignInForm next={next} />
    </SiteShell>
  );
}
