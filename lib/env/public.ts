/** The settings that the browser receives. The server passes them at run time; the build inlines none of them. */
export type PublicConfig = { supabaseUrl: string; publishableKey: string };
