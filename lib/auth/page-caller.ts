import { cache } from 'react';
import { type Caller, getCaller } from './caller';

export type PageCaller = Caller;

/** Returns the signed-in user of this page, or null. Runs once per page request, however many components call it. */
export const pageCaller: () => Promise<PageCaller | null> = cache(() => getCaller(null));
