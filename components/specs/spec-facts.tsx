'use client';

import { Paper } from '@mantine/core';
import { formatBytes } from '@/components/format/bytes';
import { CopyableCode } from '@/components/format/copyable-code';
import { Fact } from '@/components/format/fact';
import { RelativeTime } from '@/components/format/relative-time';
import type { Spec, TextState } from '@/lib/specs/schema';
import type { SectionsResponse } from '@/lib/specs/sections/schema';
import { useSections } from './sections/use-sections';
import classes from './spec-detail.module.css';

/** Labels that say whether the text of the PDF can be searched. */
const textLabels: Record<TextState, string> = {
  pending: 'Not read yet',
  done: 'Searchable',
  none: 'No text',
  failed: 'Could not be read',
};

/**
 * Returns the number of sections as text. Uses the workflow service's count if there is one. Otherwise counts the
 * `found` sections, and adds a note if they come from the PDF's outline. Returns a dash if no sections are known.
 */
function sectionsLabel({ sectionsCount }: Spec, found: SectionsResponse | undefined): string {
  if (sectionsCount !== null) return sectionsCount.toLocaleString('en');
  if (!found || found.sections.length === 0) return '–';
  const count = found.sections.length.toLocaleString('en');
  return found.source === 'outline' ? `${count} in the outline` : count;
}

/** Shows the facts of a spec, such as its brand, area, size, times and checksum. */
export function SpecFacts({ spec, uploader }: { spec: Spec; uploader: string | null }) {
  const { data: sections } = useSections(spec);
  return (
    <Paper withBorder p="md">
      <dl className={classes.facts}>
        <Fact label="Brand">{spec.brandName}</Fact>
        <Fact label="Area">{spec.area}</Fact>
        <Fact label="Property">{spec.propertyName ?? '–'}</Fact>
        <Fact label="Sections">{sectionsLabel(spec, sections)}</Fact>
        {spec.textState && <Fact label="Text">{textLabels[spec.textState]}</Fact>}
        <Fact label="Size">{formatBytes(spec.sizeBytes)}</Fact>
        <Fact label="Uploaded">
          <RelativeTime iso={spec.createdAt} />
        </Fact>
        {uploader !== null && <Fact label="Uploaded by">{uploader}</Fact>}
        <Fact label="Updated">
          <RelativeTime iso={spec.updatedAt} />
        </Fact>
        {spec.status === 'processing' && spec.deadlineAt && (
          <Fact label="Times out">
            <RelativeTime iso={spec.deadlineAt} />
          </Fact>
        )}
        <Fact label="SHA-256" className={classes.wide}>
          <CopyableCode value={spec.sha256} label="Copy SHA-256" />
        </Fact>
      </dl>
    </Paper>
  );
}
