import { readFileSync } from 'node:fs';

let body;

/** The least that Next does for an answer: a fixed value as JSON, for nobody in particular. */
export function GET() {
  body ??= JSON.parse(readFileSync(process.env.BARE_BODY_FILE, 'utf8'));
  return Response.json(body);
}
