'use client';

import { Anchor, Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { RelativeTime } from '@/components/format/relative-time';
import { Link } from '@/components/shell/link';
import type { Spec, SpecVersion } from '@/lib/specs/schema';
import { readSpecVersions } from './spec-calls';
import { SpecChanges } from './spec-changes';
import classes from './spec-versions.module.css';
import { StatusBadge } from './status-badge';

const firstPage: string | null = null;

/** Lists the versions of a spec and shows what changed between them. Shows nothing for a spec with one version. */
export function SpecVersions({ spec }: { spec: Spec }) {
  const { specUploadId, version = 1, replacedBy } = spec;
  const hasVersions = version > 1 || Boolean(replacedBy);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    // Refetch the versions when the spec changes, for example when it is replaced.
    queryKey: ['specs', 'versions', specUploadId, spec.statusSeq],
    queryFn: ({ pageParam, signal }) => readSpecVersions(specUploadId, pageParam, signal),
    initialPageParam: firstPage,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
    enabled: hasVersions,
    placeholderData: (previous) => previous,
  });
  // All other versions may have been deleted.
  if (!hasVersions || data?.length === 1) return null;
  return (
    <>
      <section aria-labelledby="versions-title">
        <Title order={2} id="versions-title" mb="md">
          Versions
        </Title>
        {data ? (
          <>
            <Paper withBorder>
              <ol className={classes.versions}>
                {data.map((item) => (
                  <VersionItem
                    key={item.specUploadId}
                    item={item}
                    isShown={item.specUploadId === specUploadId}
                  />
                ))}
              </ol>
            </Paper>
            {hasNextPage && (
              <Group justify="center" mt="md">
                <Button
                  variant="default"
                  size="xs"
                  loading={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  Show older versions
                </Button>
              </Group>
            )}
          </>
        ) : error ? (
          <ErrorAlert title="The versions could not be loaded" error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={112} />
        )}
      </section>
      {data?.some((item) => item.specUploadId === specUploadId) && (
        <SpecChanges key={specUploadId} specUploadId={specUploadId} versions={data} hasOlder={hasNextPage} />
      )}
    </>
  );
}

function VersionItem({ item, isShown }: { item: SpecVersion; isShown: boolean }) {
  return (
    <li className={classes.version}>
      <span className={classes.number}>v{item.version}</span>
      <StatusBadge status={item.status} />
      {isShown ? (
        <Text component="span" size="sm" fw={600} aria-current="page" className={classes.file}>
          {item.fileName}
        </Text>
      ) : (
        <Anchor
          component={Link}
          href={`/admin/specs/${item.specUploadId}`}
          size="sm"
          className={classes.file}
        >
          {item.fileName}
        </Anchor>
      )}
      <Text component="span" size="sm" c="dimmed" className={classes.when}>
        {item.isCurrent && 'Current · '}
        <RelativeTime iso={item.createdAt} />
      </Text>
    </li>
  );
}
