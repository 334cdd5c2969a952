import { randomUUID } from 'node:crypto';
import { uploadResponse } from '@/lib/specs/schema';
import type { Api } from '@/tests/app/support/api';
import { sendUpload } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';
import { careful } from '@/tests/soak/careful';
import type { UserOptions } from '@/tests/soak/options';

/** Uploads one spec after another until the soak ends. */
export async function uploadSpecs(api: Api, { ledger, random, goesOn }: UserOptions): Promise<void> {
  while (goesOn()) {
    const sections = 1 + Math.floor(random() * 4);
    const file = await makePdf({ sections });
    const key = { 'idempotency-key': randomUUID() };
    const response = await careful('an upload', [202], () => sendUpload(api, { file }, key));
    ledger.uploads.push({ id: uploadResponse.parse(response.body).specUploadId, sections });
  }
}
