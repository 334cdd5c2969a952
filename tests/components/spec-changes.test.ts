import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SpecChanges } from '@/components/specs/spec-changes';
import type { SpecVersion } from '@/lib/specs/schema';

const version = (number: number): SpecVersion => ({
  specUploadId: `spec-${number}`,
  version: number,
  isCurrent: number === 501,
  fileName: 'hotel.pdf',
  status: 'completed',
  sectionsCount: null,
  createdAt: '2026-01-01T00:00:00Z',
});

test('the last of the loaded versions is called the oldest only if no older ones are left to load', () => {
  const shown = (hasOlder: boolean) => {
    const changes = createElement(SpecChanges, {
      specUploadId: 'spec-500',
      versions: [version(501), version(500)],
      hasOlder,
    });
    const queries = createElement(QueryClientProvider, { client: new QueryClient() }, changes);
    return renderToStaticMarkup(createElement(MantineProvider, null, queries));
  };
  expect(shown(false)).toContain('This is the oldest version.');
  expect(shown(true)).toContain('What changed');
  expect(shown(true)).not.toContain('oldest');
});
