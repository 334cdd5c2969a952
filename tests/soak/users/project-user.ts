import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobStartedResponse } from '@/lib/image-gen/schema';
import type { Api } from '@/tests/app/support/api';
import { sendJob } from '@/tests/app/support/image-jobs';
import { careful } from '@/tests/soak/careful';
import type { UserOptions } from '@/tests/soak/options';

/** Starts one image job after another until the soak ends. */
export async function startJobs(api: Api, projectId: string, shift: UserOptions): Promise<void> {
  const { ledger, random, goesOn } = shift;
  while (goesOn()) {
    const key = { 'idempotency-key': randomUUID() };
    const payload = { projectId, prompt: 'A lobby in a storm' };
    const response = await careful('an image job', [202], () => sendJob(api, payload, key));
    ledger.jobs.push({ id: jobStartedResponse.parse(response.body).jobId, runs: 1, cancelRequested: false });
    // An image job makes four images and eight files. If jobs were started as fast as uploads, they would leave no time
    // for anything else.
    await sleep(500 + random() * 500);
  }
}
