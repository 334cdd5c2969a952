import { join } from 'node:path';

/**
 * The product's URL, settings and data folder. `inject('atelier')` returns them, even before the product has started.
 */
export type ProvidedAtelier = {
  url: string;
  /** The settings of the product, secrets included. */
  env: Record<string, string>;
  dataDir: string;
};

/**
 * The path of the file that is written once the product has started or has failed to start. The file contains
 * `{ databaseUrl }` if the product has started, and `{ error }` otherwise.
 */
export const startFile = (dataDir: string): string => join(dataDir, 'test-start.json');

/** The password that the product sends to its mail server. */
export const mailPassword = 'mail-password-of-the-tests';

/** The path of the file with the product's output during the tests. */
export const logFile = (dataDir: string): string => join(dataDir, 'test.log');

/** The part of the OpenAPI document that the tests use. */
export type OpenApi = {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
};
type Media = { schema: object; example?: unknown };
export type Operation = {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: ({ name: string; in: string; required: boolean; schema: object } | { $ref: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media>; headers?: Record<string, { $ref: string }> }>;
};

declare module 'vitest' {
  interface ProvidedContext {
    atelier: ProvidedAtelier;
    /** The URL of a Postgres server whose database `postgres` is migrated and has no connections. */
    sqlServerUrl: string;
  }
}
