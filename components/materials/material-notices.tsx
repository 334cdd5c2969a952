'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { RelativeTime } from '@/components/format/relative-time';
import type { SearchResponse } from '@/lib/matlib/schema';
import { applyUrl } from './apply-url';
import { countOfType, typePlural } from './material-labels';
import { matchesElsewhere } from './material-list';
import { isNarrowed, type MaterialUrl } from './material-url';

/** Shows a notice that the library is unavailable and that the results date from `fetchedAt`. */
export function StaleNotice({ fetchedAt }: { fetchedAt: string }) {
  return (
    <Alert
      color="yellow"
      variant="outline"
      role="status"
      icon={<IconClockExclamation size={20} />}
      title="Library unavailable"
    >
      Showing results from <RelativeTime iso={fetchedAt} />. Pictures and files may be missing.
    </Alert>
  );
}

/** Shows the empty state of the list, and offers the matches for the same query in other types. */
export function MaterialListEmpty({ response, url }: { response: SearchResponse; url: MaterialUrl }) {
  const others = matchesElsewhere(response);
  const filtered = url.categories.length > 0 || url.color !== null;
  const plural = typePlural[url.type];
  const go = (change: Partial<MaterialUrl>) => applyUrl({ ...url, ...change, material: null }, 'push');
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{isNarrowed(url) ? 'No matches' : 'No materials'}</Title>
      <Text c="dimmed" maw="28rem">
        {!isNarrowed(url) && `The library has no ${plural}.`}
        {isNarrowed(url) && (url.q ? `No ${plural} match “${url.q}”` : `No ${plural} match`)}
        {isNarrowed(url) && (filtered ? ' with these filters.' : '.')}
      </Text>
      <Group gap="sm" mt="sm" justify="center">
        {others.map(({ type, count }) => (
          // Clear the categories, because each type has its own.
          <Button key={type} onClick={() => go({ type, categories: [] })}>
            Show {countOfType(count, type)}
          </Button>
        ))}
        {filtered && (
          <Button variant="default" onClick={() => go({ categories: [], color: null })}>
            Clear filters
          </Button>
        )}
        {url.q && !filtered && (
          <Button variant="default" onClick={() => go({ q: '' })}>
            Clear search
          </Button>
        )}
      </Group>
    </Stack>
  );
}
