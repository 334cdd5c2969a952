// @module-tag extended
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { reportImage } from '@/tests/app/support/image-jobs';
import { signIn } from '@/tests/app/support/people';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject, openStudio, promptCard, refine, startJob } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const memberEmail = 'member@atelier.test';
let member: Api;
let sql: Sql;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, memberEmail)).headers);
  sql = openDatabase();
});
afterAll(() => sql?.end());

test('a long conversation opens at its end; earlier prompts load on request, and stay when it continues', async () => {
  const projectId = await newProject(member, 'Long');
  const { jobId } = await startJob(member, projectId, 'A lobby [fail]', 'failed');
  await sql`insert into public.image_messages (job_id, ordinal, prompt)
            select ${jobId}, n, 'Prompt ' || n from generate_series(2, 45) n`;
  await sql`insert into public.image_runs (job_id, run, message_id, status, finished_at)
            select job_id, ordinal, id, 'succeeded', now() from public.image_messages
             where job_id = ${jobId} and ordinal > 1`;
  await sql`update public.image_jobs set run = 45, status = 'succeeded', error = null, error_code = null where id = ${jobId}`;
  const page = await open();
  await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
  const shown = async () => {
    const labels = await page.$$eval('article[aria-label^="Prompt "]', (cards) =>
      cards.map((card) => card.ariaLabel),
    );
    return [labels[0], labels.at(-1), labels.length];
  };
  expect(await shown()).toEqual(['Prompt 26', 'Prompt 45', 20]);
  await page.locator(byRole('button', 'Show earlier prompts')).click();
  await page.locator(promptCard(6)).wait();
  expect(await shown()).toEqual(['Prompt 6', 'Prompt 45', 40]);
  await page.locator(byRole('button', 'Show earlier prompts')).click();
  await page.locator(promptCard(1)).wait();
  expect(await shown()).toEqual(['Prompt 1', 'Prompt 45', 45]);
  expect(await page.$(byRole('button', 'Show earlier prompts'))).toBeNull();
  await refine(page, 'Warmer light [silent]');
  await page.locator(promptCard(46)).wait();
  expect(await shown()).toEqual(['Prompt 1', 'Prompt 46', 46]);
});

test('a live page shows the end of a job even when its broadcast is lost', async () => {
  const projectId = await newProject(member, 'Lost');
  const { jobId, run } = await startJob(member, projectId, 'A lobby [silent]', 'running');
  const page = await open();
  // Shorten the interval between resyncs from one minute to 200 ms.
  await page.evaluateOnNewDocument(`(() => {
    const start = window.setInterval.bind(window);
    window.setInterval = (act, ms, ...rest) => start(act, ms === 60_000 ? 200 : ms, ...rest);
  })()`);
  await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
  await page.locator(promptCard(1, 'running')).wait();
  await sql.unsafe(`
    create function realtime.lose_message() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger lose_message before insert on realtime.messages for each row
      when (new.topic = 'project:${projectId}') execute function realtime.lose_message()`);
  try {
    const report = { job_id: jobId, status: 'failed', error: 'no color left' };
    expect((await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, report, run)).status).toBe(200);
    await page.locator(promptCard(1, 'failed')).wait();
    expect(
      await sql`select 1 from realtime.messages where topic = ${`project:${projectId}`} and payload ->> 'status' = 'failed'`,
    ).toEqual([]);
  } finally {
    await sql.unsafe('drop function realtime.lose_message cascade');
  }
});
