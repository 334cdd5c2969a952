import { readFileSync } from 'node:fs';

let body;

/** Returns a fixed value as JSON, without checking the user: the least that Next can do for a response. */
export function GET() {
  body ??= JSON.parse(readFileSync(process.env.BARE_BODY_FILE, 'utf8'));
  return Response.json(body);
}
