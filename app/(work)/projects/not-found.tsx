import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

/** The same words for a project that is not there and for one that is somebody else's. */
export default function NotFound() {
  return (
    <MessagePage
      title="There is no such project"
      text="The address is mistyped, or you are not a member of this project. Its owner can add you."
    >
      <LinkButton href="/projects">Your projects</LinkButton>
    </MessagePage>
  );
}
