'use client';

import { ActionIcon, Code, CopyButton, Paper } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatBytes } from '@/components/format/bytes';
import { RelativeTime } from '@/components/format/relative-time';
import type { Spec } from '@/lib/specs/schema';
import classes from './spec-detail.module.css';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What is known of a spec. */
export function SpecFacts({ spec }: { spec: Spec }) {
  return (
    <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
      <dl className={classes.facts}>
        <Fact label="Brand">{spec.brandName}</Fact>
        <Fact label="Area">{spec.area}</Fact>
        <Fact label="Property">{spec.propertyName ?? '–'}</Fact>
        <Fact label="Sections">{spec.sectionsCount?.toLocaleString('en') ?? '–'}</Fact>
        <Fact label="Size">{formatBytes(spec.sizeBytes)}</Fact>
        <Fact label="Uploaded">
          <RelativeTime iso={spec.createdAt} />
        </Fact>
        <Fact label="Last change">
          <RelativeTime iso={spec.updatedAt} />
        </Fact>
        {spec.status === 'processing' && spec.deadlineAt && (
          <Fact label="Result due">
            <RelativeTime iso={spec.deadlineAt} />
          </Fact>
        )}
        <div className={`${classes.fact} ${classes.wide}`}>
          <dt>SHA-256 of the file</dt>
          <dd>
            <span className={classes.copy}>
              <Code className={classes.hash}>{spec.sha256}</Code>
              <CopyButton value={spec.sha256}>
                {({ copied, copy }) => (
                  <>
                    <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label="Copy the SHA-256">
                      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                    </ActionIcon>
                    <span role="status" className={classes.copied}>
                      {copied ? 'Copied' : ''}
                    </span>
                  </>
                )}
              </CopyButton>
            </span>
          </dd>
        </div>
      </dl>
    </Paper>
  );
}
