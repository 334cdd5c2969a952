import { HttpResponse } from 'msw';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';

const MAX_BODY_CHARACTERS = 1024 * 1024;

/** An http or https URL; loopback addresses are allowed. */
export const httpUrl = z.url({ protocol: /^https?$/ });

/** The fields that all triggers share. */
export const triggerBase = z.object({
  id: z.string().min(1),
  timestamp: z.iso.datetime(),
  attempt: z.int().min(1),
  deadline_at: z.iso.datetime(),
  callback: z.object({
    url: httpUrl,
    secret_header: z.string().regex(/^[a-z0-9-]+$/),
    fields: z.array(z.string()),
  }),
});

/**
 * Reads a trigger as a careful workflow service would: checks the signature and the age before it parses the body.
 * Returns the parsed trigger or an error response. The status is 401 if the signature is missing or wrong, or if the
 * trigger is too old. It is 413 if the body is too large, and 400 if the body is invalid.
 */
export async function readSignedTrigger<T extends { id: string }>(
  request: Request,
  signingSecret: string,
  schema: z.ZodType<T>,
): Promise<T | Response> {
  const text = await request.text();
  if (text.length > MAX_BODY_CHARACTERS) return refusal(413, 'the body is larger than 1 MiB');
  const headers = Object.fromEntries(request.headers);
  try {
    new Webhook(signingSecret).verify(text, headers, { jsonParse: false });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return refusal(401, error.message);
    throw error;
  }
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) return refusal(400, z.prettifyError(parsed.error));
  if (parsed.data.id !== headers['webhook-id']) return refusal(400, 'id differs from the webhook-id header');
  return parsed.data;
}

/** Returns an error response with a reason. */
export function refusal(status: number, error: string, headers?: HeadersInit): Response {
  return HttpResponse.json({ error }, { status, headers });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
