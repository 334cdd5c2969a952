import { Skeleton, Stack } from '@mantine/core';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Shows placeholders for the upload zone and the list while they load. */
export function SpecListSkeleton() {
  return (
    <Stack gap="2.5rem" role="status" aria-label="Loading">
      <Skeleton height={92} radius="lg" />
      <Stack gap="md">
        <Skeleton height={36} maw={520} />
        <Skeleton height={36} />
        {rows.map((row) => (
          <Skeleton key={row} height={58} />
        ))}
      </Stack>
    </Stack>
  );
}
