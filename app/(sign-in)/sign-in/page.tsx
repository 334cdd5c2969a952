import { redirect } from 'next/navigation';
import { MessageFrame } from '@/components/shell/message-frame';
import { nextPath } from '@/components/sign-in/next-path';
import { SignInForm } from '@/components/sign-in/sign-in-form';
import { pageCaller } from '@/lib/auth/page-caller';
import { publicConfig } from '@/lib/env/server';
import type { PageQuery } from '@/lib/http/page-params';

export const metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<PageQuery> };

export default async function SignInPage({ searchParams }: Props) {
  const next = nextPath((await searchParams).next);
  if (await pageCaller()) redirect(next);
  return (
    <MessageFrame>
      <SignInForm next={next} config={publicConfig()} />
    </MessageFrame>
  );
}
