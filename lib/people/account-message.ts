import type { LinkInfo } from './schema';
import type { Message } from './send-mail';

const texts: Record<LinkInfo['purpose'], (url: string) => Message> = {
  invitation: (url) => ({
    subject: 'Your invitation to Atelier',
    text: `You have been invited to Atelier.

Choose a password to start:
${url}

The link works once, within the next 7 days. If you did not expect this message, ignore it.
`,
  }),
  reset: (url) => ({
    subject: 'Choose a new password for Atelier',
    text: `Choose a new password for your Atelier account:
${url}

The link works once, within the next hour. If you did not ask for it, ignore this message. Your password has not changed.
`,
  }),
};

/** Returns the message with a link to choose a password. */
export function accountMessage(purpose: LinkInfo['purpose'], url: string): Message {
  return texts[purpose](url);
}
