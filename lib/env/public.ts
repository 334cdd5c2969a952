/** The settings that the browser gets. The server passes them at run time; nothing is inlined at build. */
export type PublicConfig = { supabaseUrl: string; publishableKey: string };
