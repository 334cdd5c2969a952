import { cache } from 'react';
import { type Caller, getCaller } from './caller';

export type PageCaller = Caller;

/** Who looks at this page; null when nobody is signed in. Asked once for each page, however many components ask. */
export const pageCaller: () => Promise<PageCaller | null> = cache(() => getCaller(null));
