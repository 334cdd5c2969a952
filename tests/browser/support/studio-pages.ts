import type { Page } from 'puppeteer-core';
import { expect, inject } from 'vitest';
import {
  type ImageJob,
  type ImageStatus,
  imageJob,
  jobStartedResponse,
  jobsResponse,
} from '@/lib/image-gen/schema';
import { project } from '@/lib/projects/schema';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { reportImage } from '@/tests/app/support/image-jobs';
import { putOutput } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { unique } from '@/tests/app/support/specs';
import { byRole, isLive, openAs } from './spec-pages';

const words: Record<ImageStatus, string> = {
  queued: 'Queued',
  running: 'Processing',
  succeeded: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
};

type Role = 'viewer' | 'editor';

/** Creates a project as `owner` and adds `members`, which maps emails to roles. Returns the project's id. */
export async function newProject(
  owner: Api,
  name: string,
  members: Record<string, Role> = {},
): Promise<string> {
  const response = await owner('/api/projects', { json: { name: unique(name) } });
  expect(response.status, excerpt(response)).toBe(201);
  const { id } = project.parse(response.body);
  for (const [email, role] of Object.entries(members)) {
    const added = await owner(`/api/projects/${id}/members`, { json: { email, role } });
    expect(added.status, excerpt(added)).toBe(201);
  }
  return id;
}

/** Starts a job through the API and waits until it has this status. */
export async function startJob(
  api: Api,
  projectId: string,
  prompt: string,
  status: ImageStatus = 'succeeded',
): Promise<ImageJob> {
  const response = await api('/api/image-gen/jobs', { json: { projectId, prompt } });
  expect(response.status, excerpt(response)).toBe(202);
  const { jobId } = jobStartedResponse.parse(response.body);
  return poll(`${prompt} becomes ${status}`, async () => {
    const job = imageJob.parse((await api(`/api/image-gen/jobs/${jobId}`)).body);
    return job.status === status && job;
  });
}

/**
 * Stores four images and reports them as the result of run 1. The fake workflow service does neither for a `[silent]`
 * prompt.
 */
export async function bringImages(jobId: string, projectId: string): Promise<void> {
  const { url, env } = inject('atelier');
  const paths: string[] = [];
  for (const name of ['1.png', '2.png', '3.png', '4.png']) {
    paths.push(await putOutput({ projectId, jobId, run: 1, name }));
  }
  const output_paths = paths.map((path, index) => ({ variant_id: `v${index + 1}`, path }));
  const body = { job_id: jobId, status: 'succeeded', output_paths };
  const response = await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, body, 1);
  expect(response.body, excerpt(response)).toMatchObject({ applied: true });
}

/** Reads the first page of a project's job list. */
export async function jobsOf(api: Api, projectId: string): Promise<ImageJob[]> {
  return jobsResponse.parse((await api(`/api/image-gen/jobs?projectId=${projectId}`)).body).jobs;
}

/** Opens a project's studio and waits until it receives live updates. */
export async function openStudio(page: Page, email: string, projectId: string, query = ''): Promise<void> {
  await openAs(page, email, `/projects/${projectId}/studio${query}`);
  await isLive(page);
}

/**
 * Returns a selector for the prompt with this number in the open conversation, optionally with this status and this
 * text.
 */
export function promptCard(ordinal: number, status?: ImageStatus, text?: string): string {
  const having = [status && words[status], text].map((of) => (of ? `[.//*[normalize-space()="${of}"]]` : ''));
  return `::-p-xpath(//article[@aria-label="Prompt ${ordinal}"]${having.join('')})`;
}

/** Returns a selector for the title of the open job. */
export const jobTitle = (title: string) =>
  `::-p-xpath(//section[@aria-label="Details"]//p[normalize-space()="${title}"])`;

/** Returns a selector for the row of a job in the side list, optionally with this status. */
export function jobRow(prompt: string, status?: ImageStatus): string {
  const stands = status ? `[.//*[normalize-space()="${words[status]}"]]` : '';
  return `::-p-xpath(//aside//a[.//*[normalize-space()="${prompt}"]]${stands})`;
}

/** Waits until a prompt has succeeded and its four images have loaded. */
export async function showsImages(page: Page, ordinal: number): Promise<void> {
  await page.locator(promptCard(ordinal, 'succeeded')).wait();
  for (const number of [1, 2, 3, 4]) await showsImage(page, `${ordinal}.${number}`);
}

/** Waits until the image with this label has loaded. */
export async function showsImage(page: Page, label: string): Promise<void> {
  const name = `Open image ${label}`;
  const tile = await page.waitForSelector(`button[aria-label="${name}"] img`);
  await tile?.scrollIntoView();
  await page.waitForFunction(`document.querySelector('button[aria-label="${name}"] img').naturalWidth > 0`);
}

/** Types a refinement and sends it. */
export async function refine(page: Page, prompt: string): Promise<void> {
  await page.locator('textarea[aria-label="What should change"]').fill(prompt);
  await page.locator(byRole('button', 'Refine')).click();
}
