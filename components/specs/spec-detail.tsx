'use client';

import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconClockExclamation,
  IconDownload,
  IconFileUpload,
  IconHistory,
  IconLock,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LinkButton } from '@/components/feedback/link-button';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { MessagePage } from '@/components/feedback/message-page';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { countOf } from '@/components/format/count';
import { TryingAgain } from '@/components/format/trying-again';
import { Link } from '@/components/shell/link';
import { SubjectEvents } from '@/components/workflow/subject-events';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import type { Spec } from '@/lib/specs/schema';
import { EditSpecsDialog } from './edit-specs-dialog';
import { SpecAttempts } from './spec-attempts';
import classes from './spec-detail.module.css';
import { SpecFacts } from './spec-facts';
import { SpecProgress } from './spec-progress';
import { SpecVersions } from './spec-versions';
import { StatusBadge, statusLabel } from './status-badge';
import { UploadVersionDialog } from './upload-version-dialog';
import { useSpec } from './use-spec';
import { useSpecActions } from './use-spec-actions';
import { forgetSpecLists } from './use-spec-list';
import { VersionBadge } from './version-badge';

/** Returns a one-line summary of a spec's history: the number of attempts and the status. */
function describeHistory({ attempts, status }: Spec): string {
  return `History: ${countOf(attempts.length, 'attempt')}, ${statusLabel(status).toLowerCase()}`;
}

// PDF.js is large, and only this page needs it.
const SpecReader = dynamic(() => import('./reader/spec-reader').then((file) => file.SpecReader), {
  ssr: false,
  loading: () => <Skeleton h="40rem" />,
});

type SpecDetailProps = {
  initial: Spec;
  /** The name or email address of the person who uploaded the spec; null if unknown. */
  uploader: string | null;
  brands: string[];
  areas: string[];
  /** The page that the PDF reader opens at. */
  page: number;
  /** The initial search text of the PDF reader. */
  q: string;
};

/** Shows one spec with its PDF, live status, facts, actions, versions, attempts and workflow events. */
export function SpecDetail({ initial, uploader, brands, areas, page, q }: SpecDetailProps) {
  const { spec, isRemoved, error, live, reload } = useSpec(initial);
  const router = useRouter();
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [addingVersion, setAddingVersion] = useState(false);
  // Open the log of a failed spec, because it explains the failure.
  const [isLogOpen] = useState(initial.status === 'failed');
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const { busy, retry, processAgain, stop, download, remove } = useSpecActions(spec, {
    onRetried: reload,
    onDeleted: () => {
      forgetSpecLists(queryClient);
      router.replace('/admin/specs');
    },
  });

  if (isRemoved) {
    return (
      <MessagePage title="This spec was deleted" text={`${spec.fileName} and its history no longer exist.`}>
        <LinkButton href="/admin/specs">All specs</LinkButton>
      </MessagePage>
    );
  }
  return (
    <Stack gap="xl">
      <div>
        <Anchor component={Link} href="/admin/specs" size="sm" c="dimmed">
          <IconArrowLeft size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> All specs
        </Anchor>
        <Title order={1} mt="xs">
          {spec.fileName}
        </Title>
        <Group gap="md" mt="sm">
          <StatusBadge status={spec.status} isDelayed={Boolean(spec.retrying)} />
          <VersionBadge spec={spec} />
          <LiveIndicator live={live} />
        </Group>
        <SpecProgress spec={spec} />
      </div>
      {live === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && <ErrorAlert title="The spec could not be reloaded" error={error} onRetry={reload} />
      )}
      {spec.isProtected && (
        <Text c="dimmed" size="sm">
          <IconLock size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> Protected: printing or
          editing may be restricted; the PDF opens without a password.
        </Text>
      )}
      {spec.replacedBy && (
        <Alert color="gray" variant="outline" icon={<IconHistory size={20} />} title="A newer version exists">
          <LinkButton href={`/admin/specs/${spec.replacedBy.specUploadId}`} variant="default" size="xs">
            Open v{spec.replacedBy.version}
          </LinkButton>
        </Alert>
      )}
      {spec.retrying && (
        <Alert
          role="note"
          color="gray"
          variant="outline"
          icon={<IconClockExclamation size={20} />}
          title={<TryingAgain retrying={spec.retrying} />}
        >
          {spec.retrying.reason}
        </Alert>
      )}
      {spec.status === 'failed' && (
        <Alert color="red" variant="outline" icon={<IconAlertTriangle size={20} />} title="Processing failed">
          {spec.error ?? 'No reason given.'}
        </Alert>
      )}
      <Group
        gap="sm"
        role="group"
        aria-label="Actions"
        tabIndex={-1}
        className={classes.actions}
        {...keptFocus}
      >
        {spec.status === 'failed' && (
          <Button
            leftSection={<IconRefresh size={16} />}
            loading={busy === 'retry'}
            onClick={() => void retry()}
          >
            Try again
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          loading={busy === 'download'}
          onClick={() => void download()}
        >
          Download PDF
        </Button>
        {!spec.replacedBy && (
          <Button
            variant="default"
            leftSection={<IconFileUpload size={16} />}
            onClick={() => setAddingVersion(true)}
          >
            Upload new version…
          </Button>
        )}
        <Button variant="default" leftSection={<IconPencil size={16} />} onClick={() => setEditing(true)}>
          Edit…
        </Button>
        {spec.status === 'completed' && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={busy === 'again'}
            onClick={processAgain}
          >
            Process again…
          </Button>
        )}
        {(spec.status === 'pending' || spec.status === 'processing') && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} />}
            loading={busy === 'stop'}
            onClick={stop}
          >
            Stop…
          </Button>
        )}
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} />}
          loading={busy === 'delete'}
          onClick={remove}
        >
          Delete…
        </Button>
      </Group>
      <div className={classes.columns}>
        <SpecReader spec={spec} initialPage={page} initialSearch={q} onDownload={() => void download()} />
        <SpecFacts spec={spec} uploader={uploader} />
      </div>
      <SpecVersions spec={spec} />
      <details className={classes.log} open={isLogOpen}>
        <summary>{describeHistory(spec)}</summary>
        <Stack gap="xl" mt="lg">
          <SpecAttempts attempts={spec.attempts} />
          <SubjectEvents kind="spec" subjectId={spec.specUploadId} version={spec.statusSeq} onSent={reload} />
        </Stack>
      </details>
      <EditSpecsDialog
        opened={editing}
        specs={[spec]}
        brands={brands}
        areas={areas}
        onChanged={reload}
        onClose={() => setEditing(false)}
      />
      <UploadVersionDialog spec={spec} opened={addingVersion} onClose={() => setAddingVersion(false)} />
      <Announcer text={`Status: ${statusLabel(spec.status, Boolean(spec.retrying))}`} />
    </Stack>
  );
}
