import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { watchResponses } from '@/tests/app/support/api';
import { documentedResponses } from '@/tests/openapi/support/expect-documented';
import { type OpenApi, startFile } from '@/tests/setup/provided';

// Vitest runs this setup file to completion before it loads a test file of the project.
const { url, dataDir } = inject('atelier');

while (!existsSync(startFile(dataDir))) await pause(100);
const { error } = JSON.parse(readFileSync(startFile(dataDir), 'utf8')) as { error?: string };
if (error) throw new Error(`The product did not start. ${error}`);

// Check every API response that a test gets through `apiAt` against the product's own OpenAPI document.
await watchResponses(async () => {
  const response = await fetch(`${url}/api/openapi.json`);
  return documentedResponses((await response.json()) as OpenApi);
});
