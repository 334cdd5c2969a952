import { readFileSync } from 'node:fs';

let body;

/** The minimum that Next needs for a response: a fixed value as JSON, without a user. */
export function GET() {
  body ??= JSON.parse(readFileSync(process.env.BARE_BODY_FILE, 'utf8'));
  return Response.json(body);
}
