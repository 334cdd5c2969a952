import { MantineProvider } from '@mantine/core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RefineForm } from '@/components/studio/refine-form';

const settings = { materialIds: [], materialPayload: [], options: {} };
const nothing = () => undefined;

/** Returns the HTML of the form for a conversation whose loaded prompts have no image. */
const formOf = (hasEarlier: boolean) =>
  renderToStaticMarkup(
    createElement(
      MantineProvider,
      null,
      createElement(RefineForm, {
        jobId: 'a',
        source: null,
        hasEarlier,
        chosen: false,
        onClearSource: nothing,
        jobSettings: settings,
        sourceSettings: settings,
        hasRegion: false,
        onEditRegion: nothing,
        onClearRegion: nothing,
        underWay: false,
        inputRef: { current: null },
        onSend: async () => undefined,
        onStale: nothing,
      }),
    ),
  );

test('the next prompt is said to start from scratch only if no earlier prompt can have an image', () => {
  expect(formOf(false)).toContain('The next prompt starts from scratch.');
  expect(formOf(true)).not.toContain('from scratch');
  expect(formOf(true)).toContain('the latest image of the earlier prompts');
});
