import type { ReactNode } from 'react';
import { PlainDocument } from '../plain-document';

export { siteMetadata as metadata, siteViewport as viewport } from '../site-metadata';

/**
 * A root layout without Mantine's provider and styles. Mantine would add 90 KB of JavaScript to the sign-in page, which
 * most users open first.
 */
export default function SignInLayout({ children }: { children: ReactNode }) {
  return <PlainDocument>{children}</PlainDocument>;
}
