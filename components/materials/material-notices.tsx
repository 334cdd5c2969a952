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

/** Over what the library said before it could no longer be asked. */
export function StaleNotice({ fetchedAt }: { fetchedAt: string }) {
  return (
    <Alert
      color="yellow"
      variant="outline"
      role="status"
      icon={<IconClockExclamation size={20} />}
      title="The library cannot be asked just now"
    >
      This is what it held <RelativeTime iso={fetchedAt} />. Pictures and files may be missing.
    </Alert>
  );
}

type ElsewhereProps = { answer: SearchAnswer; address: MaterialAddress };

/** What the other types have for the same words, as ways across. */
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
          // The categories of one type mean nothing for another.
          onClick={() => applyAddress({ ...address, type, categories: [], material: null }, 'push')}
        >
          {countOf(count, typeOne[type], typePlural[type])} {count === 1 ? 'matches' : 'match'} “
          {answer.query}”
        </Button>
      ))}
    </Group>
  );
}

/** Nothing to show. */
export function MaterialListEmpty({ address }: { address: MaterialAddress }) {
  const narrowed = isNarrowed(address);
  return (
    <Stack align="center" gap="xs" py="4rem" ta="center">
      <Title order={2}>{narrowed ? 'Nothing matches' : 'Nothing here'}</Title>
      <Text c="dimmed" maw="28rem">
        {narrowed
          ? `None of the ${typePlural[address.type]} fits all that is chosen.`
          : 'The library has nothing of this type.'}
      </Text>
      {narrowed && (
        <Button
          variant="default"
          mt="sm"
          onClick={() => applyAddress({ ...startAddress, type: address.type }, 'push')}
        >
          Clear the filters
        </Button>
      )}
    </Stack>
  );
}
