import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

export default function NotFound() {
  return (
    <MessagePage title="Spec not found" text="The link may be wrong, or the spec was deleted.">
      <LinkButton href="/admin/specs">All specs</LinkButton>
    </MessagePage>
  );
}
