import { SMTPServer } from 'smtp-server';
import { poll } from '@/tests/app/support/poll';

export type ReceivedMail = { from: string; to: string; text: string };

export type MailServer = {
  /** Waits for the next message to an address. Each message is returned once. */
  next(to: string): Promise<ReceivedMail>;
  /** Returns the number of messages to an address that `next` has not returned yet. */
  waiting(to: string): number;
  /** Rejects the next message to an address with this SMTP status. */
  rejectNext(to: string, status: number): void;
  stop(): Promise<void>;
};

/** Decodes quoted-printable. */
const decoded = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * Starts a mail server on this machine. `smtpUrl` is the product's `SMTP_URL` setting. The server uses the port and the
 * credentials in that URL.
 */
export async function startMailServer(smtpUrl: string): Promise<MailServer> {
  const { port, username, password } = new URL(smtpUrl);
  const received: ReceivedMail[] = [];
  const rejections = new Map<string, number>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _, done) => {
      const isRight = auth.username === username && auth.password === password;
      done(isRight ? null : new Error('Wrong credentials'), isRight ? { user: username } : undefined);
    },
    onRcptTo: ({ address }, _, done) => {
      const status = rejections.get(address);
      rejections.delete(address);
      done(status ? Object.assign(new Error('Rejected'), { responseCode: status }) : null);
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = decoded(Buffer.concat(chunks).toString());
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        for (const { address } of envelope.rcptTo) received.push({ from, to: address, text });
        done();
      });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(Number(port), '127.0.0.1', resolve);
  });
  const indexOf = (to: string) => received.findIndex((mail) => mail.to === to);
  return {
    next: async (to) => {
      await poll(`a message to ${to}`, async () => indexOf(to) >= 0);
      const [mail] = received.splice(indexOf(to), 1);
      if (!mail) throw new Error('no message');
      return mail;
    },
    waiting: (to) => received.filter((mail) => mail.to === to).length,
    rejectNext: (to, status) => rejections.set(to, status),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
