import { resolve } from 'node:path';
import { serverEnv } from '@/lib/env/server';
import { type DerivativeStore, derivativeStore } from '@/lib/pdf/images/derivative-store';
import { sharedValue } from '@/lib/process/shared-value';

/** Returns the store of derived images (images scaled for printing), which all exports of this process share. */
export function derivatives(): DerivativeStore {
  return sharedValue('derivatives', () => derivativeStore(resolve(serverEnv().ATELIER_DATA_DIR, 'images')));
}
