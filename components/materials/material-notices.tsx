'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import type { SearchResponse } from '@/lib/matlib/schema';
import { applyUrl } from './apply-url';
import { matchesElsewhere } from './material-list';
import { initialMaterialUrl, isNarrowed, type MaterialUrl } from './material-url';
import { typeOne, typePlural } from './material-words';

/** Notice that the library is unavailable and the results are from `fetchedAt`. */
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

type ElsewhereProps = { response: SearchResponse; url: MaterialUrl };

/** Buttons that show the matches of the same query in other types. */
export function MatchesElsewhere({ response, url }: ElsewhereProps) {
  const others = matchesElsewhere(response);
  if (others.length === 0) return null;
  return (
    <Group gap="xs">
      {others.map(({ type, count }) => (
        <Button
          key={type}
          variant="light"
          size="compact-sm"
          // Each type has its own categories.
          onClick={() => applyUrl({ ...url, type, categories: [], material: null }, 'push')}
        >
          {countOf(count, typeOne[type], typePlural[type])} {count === 1 ? 'matches' : 'match'} “
          {response.query}”
        </Button>
      ))}
    </Group>
  );
}

/** Empty state of the list. */
export function MaterialListEmpty({ url }: { url: MaterialUrl }) {
  const narrowed = isNarrowed(url);
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{narrowed ? 'No matches' : 'No materials'}</Title>
      <Text c="dimmed" maw="28rem">
        {narrowed ? `No ${typePlural[url.type]} match.` : `The library has no ${typePlural[url.type]}.`}
      </Text>
      {narrowed && (
        <Button
          variant="default"
          mt="sm"
          onClick={() => applyUrl({ ...initialMaterialUrl, type: url.type }, 'push')}
        >
          Clear filters
        </Button>
      )}
    </Stack>
  );
}
