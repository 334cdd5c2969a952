/** The settings that the browser receives. The server passes them at run time. The build does not inline them. */
export type PublicConfig = { supabaseUrl: string; publishableKey: string };
