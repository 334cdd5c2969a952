'use client';

import { Button, Group, Paper, Select, Skeleton, Text, Title } from '@mantine/core';
import { IconArrowsMoveVertical, IconMinus, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { StatusPill } from '@/components/feedback/status-pill';
import { countOf } from '@/components/format/count';
import type { ChangesResponse, SpecChange, SpecVersion } from '@/lib/specs/schema';
import { readChanges } from './spec-calls';
import classes from './spec-versions.module.css';

/** Milliseconds between reloads of the changes while the server reads the text of a version. */
const READING_MS = 3_000;
/** Number of changes shown at first. Each click shows this many more. */
const SHOWN = 25;

type SpecChangesProps = {
  specUploadId: string;
  versions: SpecVersion[];
  /** Whether there are versions older than those in `versions`. */
  hasOlder: boolean;
};

/** Shows what changed in a spec since another version, which by default is the previous one. */
export function SpecChanges({ specUploadId, versions, hasOlder }: SpecChangesProps) {
  const shown = versions.find((item) => item.specUploadId === specUploadId);
  const others = versions.filter((item) => item !== shown);
  const before = others.find(({ version }) => shown !== undefined && version < shown.version);
  const [chosen, setChosen] = useState<string | null>(null);
  // The chosen version may have been deleted.
  const from = others.find((item) => item.specUploadId === chosen) ?? before;
  const fromId = from?.specUploadId ?? '';
  const { data, error, refetch } = useQuery({
    queryKey: ['specs', 'changes', specUploadId, fromId],
    queryFn: ({ signal }) => readChanges(specUploadId, fromId, signal),
    enabled: from !== undefined,
    refetchInterval: ({ state }) => state.data?.state === 'reading' && READING_MS,
  });

  return (
    <section aria-labelledby="changes-title">
      <Group justify="space-between" align="end" mb="md">
        <Title order={2} id="changes-title">
          What changed
        </Title>
        <Select
          label="Compared with"
          size="xs"
          data={others.map((item) => ({
            value: item.specUploadId,
            label: `v${item.version} · ${item.fileName}`,
          }))}
          value={from?.specUploadId ?? null}
          placeholder="Choose a version"
          onChange={setChosen}
          allowDeselect={false}
          w={240}
        />
      </Group>
      {from === undefined && !hasOlder && (
        <Text size="sm" c="dimmed">
          This is the oldest version.
        </Text>
      )}
      {data ? (
        <Changes key={fromId} data={data} />
      ) : error ? (
        <ErrorAlert title="The changes could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        from && <Skeleton height={160} />
      )}
    </section>
  );
}

/** Returns a summary of the comparison, such as `2 sections changed, 1 added, 10 unchanged.` */
function summaryOf({ counts, basis }: ChangesResponse): string {
  const noun = basis === 'sections' ? 'section' : 'page';
  const found = (['changed', 'added', 'removed', 'moved'] as const).filter((kind) => counts[kind] > 0);
  if (found.length === 0) return `All ${countOf(counts.unchanged, noun)} are the same.`;
  const parts = found.map((kind, n) => {
    const count = counts[kind];
    return n === 0 ? `${countOf(count, noun)} ${kind}` : `${count.toLocaleString('en')} ${kind}`;
  });
  return `${parts.join(', ')}, ${counts.unchanged.toLocaleString('en')} unchanged.`;
}

function Changes({ data }: { data: ChangesResponse }) {
  const [limit, setLimit] = useState(SHOWN);
  if (data.state === 'reading') {
    return (
      <Text size="sm" c="dimmed" role="status">
        The text of the PDF is being read.
      </Text>
    );
  }
  if (data.state === 'no_text') {
    return (
      <Text size="sm" c="dimmed">
        One of the versions has no text to compare.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" mb="sm">
        {summaryOf(data)}
      </Text>
      {data.changes.length > 0 && (
        <Paper withBorder>
          <ol className={classes.changes} aria-label="Changes">
            {data.changes.slice(0, limit).map((change, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: changes have no ids, and `Change` is stateless.
              <Change key={n} change={change} />
            ))}
          </ol>
        </Paper>
      )}
      {data.changes.length > limit ? (
        <Button variant="default" mt="sm" onClick={() => setLimit(limit + SHOWN)}>
          Show more
        </Button>
      ) : (
        data.more > 0 && (
          <Text size="sm" c="dimmed" mt="sm">
            {countOf(data.more, 'more change')} not shown.
          </Text>
        )
      )}
    </>
  );
}

const looks = {
  added: { label: 'Added', Icon: IconPlus, tone: 'good' },
  removed: { label: 'Removed', Icon: IconMinus, tone: 'bad' },
  changed: { label: 'Changed', Icon: IconPencil, tone: 'quiet' },
  moved: { label: 'Moved', Icon: IconArrowsMoveVertical, tone: 'quiet' },
} as const;

function pagesOf({ page, oldPage }: SpecChange): string | null {
  if (page === null || oldPage === null || page === oldPage) {
    const pageNumber = page ?? oldPage;
    return pageNumber === null ? null : `Page ${pageNumber}`;
  }
  return `Page ${page}, was ${oldPage}`;
}

function Change({ change }: { change: SpecChange }) {
  const { label, Icon, tone } = looks[change.kind];
  const isMovedToo = change.isMoved && change.kind !== 'moved';
  const pages = pagesOf(change);
  return (
    <li className={classes.change}>
      <Group gap="sm">
        <StatusPill tone={tone} label={isMovedToo ? `${label} and moved` : label} Icon={Icon} />
        {(change.title !== null || change.oldTitle !== null) && (
          <Text component="h3" size="sm" fw={600}>
            {change.oldTitle !== null && <del>{change.oldTitle}</del>}{' '}
            {change.oldTitle !== null ? <ins>{change.title}</ins> : change.title}
          </Text>
        )}
        {pages && (
          <Text size="sm" c="dimmed">
            {pages}
          </Text>
        )}
      </Group>
      {change.pieces === null ? (
        <Text size="sm" c="dimmed" mt={4}>
          The texts are too different to show word changes.
        </Text>
      ) : (
        change.pieces.length > 0 && (
          <p className={classes.text}>
            {change.pieces.map(({ op, text }, n) => {
              // biome-ignore-start lint/suspicious/noArrayIndexKey: pieces have neither ids nor state.
              if (op === 'added') return <ins key={n}>{text}</ins>;
              if (op === 'removed') return <del key={n}>{text}</del>;
              return <span key={n}>{text}</span>;
              // biome-ignore-end lint/suspicious/noArrayIndexKey: pieces have neither ids nor state.
            })}
          </p>
        )
      )}
    </li>
  );
}
