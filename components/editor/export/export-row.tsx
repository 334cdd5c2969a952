'use client';

import { Button, Group, Progress, Stack, Text, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconBan, IconCircleCheck, IconDownload, IconLoader2 } from '@tabler/icons-react';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { StatusPill } from '@/components/feedback/status-pill';
import { formatBytes } from '@/components/format/bytes';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import type { PlannedDocument } from '@/lib/document/sheets';
import type { ExportJob, ExportStatus } from '@/lib/export/schema';
import classes from './export.module.css';
import { readExport } from './export-calls';
import { imageProgress } from './export-progress';
import { describeOptions, exportProgress, warningLocation } from './export-text';

const looks = {
  processing: { label: 'Processing', Icon: IconLoader2, tone: 'busy' },
  completed: { label: 'Done', Icon: IconCircleCheck, tone: 'good' },
  failed: { label: 'Failed', Icon: IconAlertTriangle, tone: 'bad' },
  canceled: { label: 'Canceled', Icon: IconBan, tone: 'quiet' },
} as const satisfies Record<ExportStatus, unknown>;

type ExportRowProps = {
  job: ExportJob;
  document: PlannedDocument;
  /** Absent for viewers. */
  onCancel?: (jobId: string) => Promise<void>;
  onJump: (pageId: string, elementId: string | null) => void;
  onVersion: (versionId: string) => void;
};

/** Shows one export with its progress, warnings and download button. */
export function ExportRow({ job, document, onCancel, onJump, onVersion }: ExportRowProps) {
  const [busy, setBusy] = useState(false);
  const { status, options, pageCount, bytes, error, createdAt, warnings, versionId } = job;

  const act = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      notifications.show({ color: 'red', message: describeError(error) });
    } finally {
      setBusy(false);
    }
  };
  // Fetch a fresh signed URL, because the one in the list expires after 15 minutes.
  const download = async () => {
    const { downloadUrl } = await readExport(job.jobId);
    if (downloadUrl) window.location.assign(downloadUrl);
    else notifications.show({ color: 'red', message: 'The file no longer exists. Export again.' });
  };

  const progress = status === 'processing' ? exportProgress(job, document) : null;
  const facts = [
    describeOptions(options, document),
    pageCount === null ? null : countOf(pageCount, 'page'),
    bytes === null ? null : formatBytes(bytes),
  ].filter((fact) => fact !== null);
  return (
    <Stack component="li" gap="xs" className={classes.job} aria-label={`Export, ${looks[status].label}`}>
      <Group justify="space-between" gap="sm">
        <div className={classes.facts}>
          <Group gap="sm">
            <StatusPill {...looks[status]} />
            <Text size="sm" c="dimmed" component="span">
              <RelativeTime iso={createdAt} />
            </Text>
          </Group>
          <Text size="sm">{facts.join(' · ')}</Text>
        </div>
        {status === 'processing' && onCancel && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            onClick={() => void act(() => onCancel(job.jobId))}
          >
            Cancel
          </Button>
        )}
        {onCancel && versionId && (
          <Button size="xs" variant="default" onClick={() => onVersion(versionId)}>
            Restore this version
          </Button>
        )}
        {status === 'completed' && (
          <Button
            size="xs"
            variant="light"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            loading={busy}
            onClick={() => void act(download)}
          >
            Download
          </Button>
        )}
      </Group>
      {progress && (
        <div>
          <Text size="sm" role="status">
            {[job.pagesDone === 0 ? 'Preparing …' : `Rendering: ${progress.text}`, imageProgress(job)]
              .filter((part) => part !== null)
              .join(' · ')}
          </Text>
          <Progress
            mt={4}
            value={progress.share === null ? 100 : Math.max(progress.share * 100, 2)}
            animated
            aria-label="Export progress"
          />
        </div>
      )}
      {status === 'failed' && (
        <Text size="sm" c="red" role="alert">
          {error ?? 'The export failed for an unknown reason.'}
        </Text>
      )}
      {warnings.length > 0 && (
        <details className={classes.warnings} open={warnings.length <= 3}>
          <summary>{countOf(warnings.length, 'warning')}</summary>
          <ul aria-label="Warnings">
            {warnings.map((warning) => {
              const { text, jump } = warningLocation(warning, document, options);
              return (
                <li key={`${warning.code} ${warning.pageId} ${warning.elementId} ${warning.message}`}>
                  {jump ? (
                    <UnstyledButton
                      className={classes.jump}
                      onClick={() => onJump(jump.pageId, jump.elementId)}
                    >
                      <b>{text}:</b> {warning.message}
                    </UnstyledButton>
                  ) : (
                    <span>
                      <b>{text}:</b> {warning.message}
                    </span>
                  )}
                </li>
              );
            })}
          </ul>
        </details>
      )}
    </Stack>
  );
}
