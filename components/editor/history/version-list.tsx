'use client';

import { Badge, Button, Group, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { MadeBy } from '@/components/people/made-by';
import type { Pages } from '@/hooks/use-pages';
import type { KeptVersion } from '@/lib/export/schema';
import { useEditorContext } from '../use-editor';
import classes from './history.module.css';
import { describeChanges, versionsByDay } from './version-text';

type VersionListProps = {
  list: Pages<KeptVersion>;
  openId: string | null;
  onOpen: (id: string) => void;
};

/** Lists the kept versions of the document by day. */
export function VersionList({ list, openId, onOpen }: VersionListProps) {
  const { projectId } = useEditorContext();
  return (
    <Stack gap="md">
      {list.error !== null && (
        <ErrorAlert
          title="The versions could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null && list.error === null && <Skeleton h={72} role="status" aria-label="Loading" />}
      {list.items?.length === 0 && (
        <Text size="sm" c="dimmed">
          No earlier versions yet.
        </Text>
      )}
      {versionsByDay(list.items ?? []).map(({ day, versions }) => (
        <section key={day} aria-label={day}>
          <Title order={3} size="h6" mb={4}>
            {day}
          </Title>
          <ul className={classes.versions}>
            {versions.map((version) => (
              <li key={version.id}>
                <UnstyledButton
                  className={classes.version}
                  aria-current={version.id === openId ? 'true' : undefined}
                  onClick={() => onOpen(version.id)}
                >
                  <Group gap="xs" justify="space-between" wrap="nowrap">
                    <Text size="sm" fw={600} component="span" className={classes.name}>
                      {version.name ?? `Version ${version.version}`}
                    </Text>
                    {version.printed && (
                      <Badge size="sm" variant="default" className={classes.badge}>
                        Exported
                      </Badge>
                    )}
                  </Group>
                  <Text size="sm" component="span">
                    {describeChanges(version)}
                  </Text>
                  <Text size="sm" c="dimmed" component="span">
                    <MadeBy projectId={projectId} userId={version.savedBy} iso={version.createdAt} />
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list.hasMore && (
        <Button variant="default" size="xs" onClick={() => void list.loadMore()}>
          Show older versions
        </Button>
      )}
    </Stack>
  );
}
