import type { Page } from 'puppeteer-core';

/**
 * Records the durations of tasks longer than 50 ms. The code is a string, because it runs in the page and not in this
 * process.
 */
const observeTasks = `
  window.longTasks = [];
  window.taskObserver?.disconnect();
  window.taskObserver = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)));
  taskObserver.observe({ type: 'longtask' });`;

/**
 * Returns the duration of the page's longest task during `work` in milliseconds, or 0 if none took longer than 50 ms.
 */
export async function longestTask(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(observeTasks);
  await work();
  // Wait, because a performance observer is called some time after the task that it reports.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))',
  );
  return Number(await page.evaluate('Math.max(0, ...longTasks)'));
}

/** Formats a duration from `longestTask`, which is 0 if no task took longer than 50 ms. */
export function taskDuration(ms: number): string {
  return ms === 0 ? '< 50 ms' : `${ms.toFixed(0)} ms`;
}
