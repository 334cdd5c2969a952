import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

/** The same text for a missing project and for one that the user cannot see. */
export default function NotFound() {
  return (
    <MessagePage
      title="This project does not exist"
      text="The URL may be mistyped, or you may not be a member of this project. A project owner can add you."
    >
      <LinkButton href="/projects">Your projects</LinkButton>
    </MessagePage>
  );
}
