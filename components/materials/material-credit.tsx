import { Anchor, Text } from '@mantine/core';
import type { Source } from '@/lib/matlib/schema';

/** Shows the credit and license of a material source. */
export function MaterialCredit({ source }: { source: Source }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      {source.url ? (
        <Anchor href={source.url} target="_blank" rel="noopener noreferrer" inherit underline="always">
          {source.credit}
        </Anchor>
      ) : (
        source.credit
      )}{' '}
      · {source.license}
    </Text>
  );
}
