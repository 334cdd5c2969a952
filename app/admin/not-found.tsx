import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

/** Within the admin area, under its own header. */
export default function NotFound() {
  return (
    <MessagePage title="There is no such spec" text="The address is mistyped, or the spec was deleted.">
      <LinkButton href="/admin/specs">All specs</LinkButton>
    </MessagePage>
  );
}
