import { cache } from 'react';
import { type Caller, getCaller } from './caller';

export type PageCaller = Caller;

/** The signed-in user of this page, or null. Read once per page, however many components ask. */
export const pageCaller: () => Promise<PageCaller | null> = cache(() => getCaller(null));
