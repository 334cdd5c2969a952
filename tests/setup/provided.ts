/** What the tests of the running product get by `inject('atelier')`. */
export type RunningAtelier = {
  url: string;
  /** The settings that it runs with, secrets included. */
  env: Record<string, string>;
  /** Its embedded Postgres, as the owner. */
  databaseUrl: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    atelier: RunningAtelier;
    /** A Postgres whose database `postgres` is migrated and has no connections. */
    sqlServerUrl: string;
  }
}
