/** What the tests of the running product get by `inject('atelier')`. */
export type RunningAtelier = {
  url: string;
  /** The settings that it runs with, secrets included. */
  env: Record<string, string>;
  /** Its embedded Postgres, as the owner. */
  databaseUrl: string;
  /** The process of the app, which has started the browsers that print. */
  appPid: number;
};

/** As much of the OpenAPI document as the tests look at. */
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
    atelier: RunningAtelier;
    /** What the running product answers at `/api/openapi.json`. */
    openApi: OpenApi;
    /** A Postgres whose database `postgres` is migrated and has no connections. */
    sqlServerUrl: string;
  }
}
