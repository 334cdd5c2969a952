/** What the browser may know. The server hands it over at run time; nothing is inlined at build. */
export type PublicConfig = { supabaseUrl: string; publishableKey: string };
