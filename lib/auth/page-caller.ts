import { cache } from 'react';
import { type Caller, getCaller } from './caller';

export type PageCaller = Caller;

/**
 * Returns the user who requested this page, or null if no user is signed in. Runs once per page request, however many
 * components call it.
 */
export const pageCaller: () => Promise<PageCaller | null> = cache(() => getCaller(null));
