import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

export default function NotFound() {
  return (
    <MessagePage title="This spec does not exist" text="The URL may be mistyped, or the spec was deleted.">
      <LinkButton href="/admin/specs">All specs</LinkButton>
    </MessagePage>
  );
}
