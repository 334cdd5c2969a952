'use client';

import { Checkbox, Text, VisuallyHidden } from '@mantine/core';
import { formatBytes } from '@/components/format/bytes';
import { countOf } from '@/components/format/count';
import { RelativeTime } from '@/components/format/relative-time';
import { TryingAgain } from '@/components/format/trying-again';
import { Link } from '@/components/shell/link';
import type { Spec } from '@/lib/specs/schema';
import { SpecActions } from './spec-actions';
import { SpecPassage } from './spec-passage';
import { SpecProgress } from './spec-progress';
import classes from './spec-table.module.css';
import { StatusBadge } from './status-badge';
import { VersionBadge } from './version-badge';

type After = { onRetried: () => void; onDeleted: (specUploadId: string) => void };

/**
 * Selects or deselects a spec. With `extend` (Shift-click), does the same with the spec that the user last selected or
 * deselected and with all specs in between.
 */
export type ChooseSpec = (choice: { id: string; isSelected: boolean; extend: boolean }) => void;
type Choice = { chosen: ReadonlySet<string>; onChoose: ChooseSpec };

const columns = ['Status', 'File', 'Brand and area', 'Sections', 'Size', 'Uploaded'] as const;

/** `q` is the search that the specs match. */
type SpecTableProps = { specs: Spec[]; q: string | undefined } & Choice & After;

/**
 * Shows the specs as a table. On a narrow screen, each row becomes a card. The roles are explicit because some browsers
 * drop them from a table with `display: block`.
 */
export function SpecTable({ specs, q, chosen, onChoose, ...after }: SpecTableProps) {
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see above
    <table className={classes.table} role="table" aria-label="Specs">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            <VisuallyHidden>Select</VisuallyHidden>
          </th>
          {columns.map((name) => (
            <th key={name} role="columnheader" scope="col">
              {name}
            </th>
          ))}
          <th role="columnheader" scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {specs.map((spec) => (
          <SpecRow
            key={spec.specUploadId}
            spec={spec}
            q={q}
            isSelected={chosen.has(spec.specUploadId)}
            onChoose={onChoose}
            {...after}
          />
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  );
}

/**
 * Returns the URL of a spec's page. If the search `q` found a passage in the PDF (`match`), the URL opens the PDF at
 * the page of that passage.
 */
function hrefOf({ specUploadId, match }: Spec, q: string | undefined): string {
  const path = `/admin/specs/${specUploadId}`;
  return match && q ? `${path}?${new URLSearchParams({ page: String(match.page), q })}` : path;
}

type SpecRowProps = { spec: Spec; q: string | undefined; isSelected: boolean; onChoose: ChooseSpec } & After;

function SpecRow({ spec, q, isSelected, onChoose, onRetried, onDeleted }: SpecRowProps) {
  const tries = spec.attempts.length;
  const href = hrefOf(spec, q);
  const location = spec.propertyName ? [spec.area, spec.propertyName] : [spec.area];
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: see SpecTable
    <tr role="row" className={classes.row} data-chosen={isSelected || undefined}>
      <td role="cell" className={classes.choice}>
        <Checkbox
          checked={isSelected}
          onChange={({ currentTarget, nativeEvent }) =>
            onChoose({
              id: spec.specUploadId,
              isSelected: currentTarget.checked,
              extend: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
            })
          }
          aria-label={`Select ${spec.fileName}`}
        />
      </td>
      <td role="cell" className={classes.status}>
        <StatusBadge status={spec.status} isDelayed={Boolean(spec.retrying)} />
      </td>
      <td role="cell" className={classes.file}>
        <div className={classes.name}>
          <Link href={href} className={classes.open}>
            {spec.fileName}
          </Link>
          <VersionBadge spec={spec} />
          {tries > 1 && (
            <Text size="xs" c="dimmed" span className={classes.tries}>
              {countOf(tries, 'attempt')}
            </Text>
          )}
        </div>
        {spec.retrying && (
          <Text size="sm" c="dimmed">
            <TryingAgain retrying={spec.retrying} />
          </Text>
        )}
        <SpecProgress spec={spec} />
        {spec.status === 'failed' && spec.error && (
          <Text size="sm" className={classes.reason}>
            {spec.error}
          </Text>
        )}
        {spec.match && (
          <Link href={href} className={classes.passage}>
            <SpecPassage match={spec.match} />
          </Link>
        )}
      </td>
      <td role="cell" className={classes.place} title={[spec.brandName, ...location].join(' · ')}>
        <span>{spec.brandName}</span>
        <Text size="sm" c="dimmed" span>
          {location.map((part) => ` · ${part}`).join('')}
        </Text>
      </td>
      <td role="cell" className={classes.number} data-label="Sections">
        {spec.sectionsCount ?? '–'}
      </td>
      <td role="cell" className={classes.number} data-label="Size">
        {formatBytes(spec.sizeBytes)}
      </td>
      <td role="cell" className={classes.when}>
        <RelativeTime iso={spec.createdAt} />
      </td>
      <td role="cell" className={classes.actions}>
        <SpecActions spec={spec} onRetried={onRetried} onDeleted={() => onDeleted(spec.specUploadId)} />
      </td>
    </tr>
    // biome-ignore-end lint/a11y/noRedundantRoles: see SpecTable
  );
}
