'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import type { SearchAnswer } from '@/lib/matlib/schema';
import { applyAddress } from './apply-address';
import { isNarrowed, type MaterialAddress, startAddress } from './material-address';
import { matchesElsewhere } from './material-list-state';
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

type ElsewhereProps = { answer: SearchAnswer; address: MaterialAddress };

/** Buttons that show the matches of the same query in other types. */
export function MatchesElsewhere({ answer, address }: ElsewhereProps) {
  const others = matchesElsewhere(answer);
  if (others.length === 0) return null;
  return (
    <Group gap="xs">
      {others.map(({ type, count }) => (
        <Button
          key={type}
          variant="light"
          size="compact-sm"
          // Each type has its own categories.
          onClick={() => applyAddress({ ...address, type, categories: [], material: null }, 'push')}
        >
          {countOf(count, typeOne[type], typePlural[type])} {count === 1 ? 'matches' : 'match'} “
          {answer.query}”
        </Button>
      ))}
    </Group>
  );
}

/** Empty state of the list. */
export function MaterialListEmpty({ address }: { address: MaterialAddress }) {
  const narrowed = isNarrowed(address);
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{narrowed ? 'No matches' : 'No materials'}</Title>
      <Text c="dimmed" maw="28rem">
        {narrowed
          ? `No ${typePlural[address.type]} match.`
          : `The library has no ${typePlural[address.type]}.`}
      </Text>
      {narrowed && (
        <Button
          variant="default"
          mt="sm"
          onClick={() => applyAddress({ ...startAddress, type: address.type }, 'push')}
        >
          Clear filters
        </Button>
      )}
    </Stack>
  );
}
