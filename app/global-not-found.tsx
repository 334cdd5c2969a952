import { MessagePage } from '@/components/feedback/message-page';
import { mainNav } from '@/components/shell/main-nav';
import { MessageFrame } from '@/components/shell/message-frame';
import { PlainButton } from '@/components/shell/plain-button';
import { pageCaller } from '@/lib/auth/page-caller';
import { PlainDocument } from './plain-document';
import { siteMetadata } from './site-metadata';

export { siteViewport as viewport } from './site-metadata';
export const metadata = { ...siteMetadata, title: 'Not found · Atelier' };

/** Shown for each path that has no page. */
export default async function GlobalNotFound() {
  // If the sign-in service is unavailable, show the page without the navigation.
  const caller = await pageCaller().catch(() => null);
  return (
    <PlainDocument>
      <MessageFrame nav={caller ? mainNav(caller) : []}>
        <MessagePage title="Page not found" text="The link may be wrong, or the page was deleted.">
          <PlainButton href="/">Go home</PlainButton>
        </MessagePage>
      </MessageFrame>
    </PlainDocument>
  );
}
