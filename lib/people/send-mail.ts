import nodemailer from 'nodemailer';
import { serverEnv } from '@/lib/env/server';
import { codeOf } from '@/lib/errors/error-parts';

export type Message = { subject: string; text: string };
export type MailFailure = { error: string; retryable: boolean };

const TIMEOUT_MS = 10_000;

/** Describes a failure without the mail server's reply, which can contain the address or credentials. */
function failureOf(error: unknown): MailFailure {
  const code = codeOf(error);
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  if (code === 'EAUTH') return { error: 'The mail server rejected our credentials.', retryable: true };
  // A 5xx reply to the addresses or the message is a permanent failure. Any other 5xx reply points to a problem with
  // Atelier's settings, so the message is retried.
  if (status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    return { error: `The mail server rejected the message with ${status}.`, retryable: false };
  }
  if (status > 0) return { error: `The mail server replied with ${status}.`, retryable: true };
  return { error: 'The mail server could not be reached.', retryable: true };
}

/** Sends a message through the mail server. Returns null if the server accepted it, otherwise the failure. */
export async function sendMail(to: string, { subject, text }: Message): Promise<MailFailure | null> {
  const { SMTP_URL, SMTP_FROM } = serverEnv();
  if (!SMTP_URL) return { error: 'No mail server is set.', retryable: false };
  const transport = nodemailer.createTransport({
    url: SMTP_URL,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from: SMTP_FROM, to: { name: '', address: to }, subject, text });
    return null;
  } catch (error) {
    return failureOf(error);
  } finally {
    transport.close();
  }
}
