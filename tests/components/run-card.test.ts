import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RunCard } from '@/components/studio/run-card';
import { runsOf } from '@/components/studio/runs';
import type { ImageJob } from '@/lib/image-gen/schema';
import { jobOf, messageOf } from './support/image-gen-records';

/** Returns the HTML of the cards of a job with two prompts, neither of which has an image. */
function cardsOf(more: Partial<ImageJob>): string[] {
  const job = jobOf('a', 'failed', 3, { run: 2, ...more });
  const messages = [
    { ...messageOf('a', 1), prompt: 'A lobby', status: 'failed' as const },
    { ...messageOf('a', 2), prompt: 'Warmer light' },
  ];
  const nothing = () => undefined;
  const actions = {
    open: nothing,
    show: nothing,
    compare: nothing,
    download: nothing,
    copy: nothing,
    copyImage: nothing,
    onStale: nothing,
  };
  return runsOf(job, messages, []).map((run) =>
    renderToStaticMarkup(
      createElement(
        MantineProvider,
        null,
        createElement(RunCard, {
          run,
          job,
          usual: null,
          actions,
          sourceKey: null,
          compareKey: null,
          expected: { count: 1, aspect: 1 },
          busy: null,
        }),
      ),
    ),
  );
}

test('the first prompt of a job is shown with its status if a name has replaced it in the heading', () => {
  const [first, second] = cardsOf({ name: 'Lobby, final' });
  expect(first).toContain('A lobby');
  expect(second).toContain('Warmer light');
  const [untitled] = cardsOf({ name: null });
  expect(untitled).toContain('Generation failed');
  expect(untitled).not.toContain('A lobby');
});
