import { SharePage } from '@/components/share-page/share-page';

/**
 * Shows the same page for an unknown, an expired and a revoked link, so the response reveals nothing about the link.
 */
export default function ShareLinkNotFound() {
  return (
    <SharePage title="This link does not work">
      <p>It may have expired or been revoked. Ask the person who sent it for a new one.</p>
    </SharePage>
  );
}
