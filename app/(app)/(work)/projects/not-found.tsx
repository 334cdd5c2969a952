import { LinkButton } from '@/components/feedback/link-button';
import { MessagePage } from '@/components/feedback/message-page';

/** Shown for a missing project, a project that the user cannot see, and a missing document. */
export default function NotFound() {
  return (
    <MessagePage
      title="Project not found"
      text="The link may be wrong, or you are not a member of this project. Ask its owner to add you."
    >
      <LinkButton href="/projects">Your projects</LinkButton>
    </MessagePage>
  );
}
