'use client';

import { Anchor } from '@mantine/core';
import { CopyableCode } from '@/components/format/copyable-code';
import { Fact } from '@/components/format/fact';
import { formatDate } from '@/components/format/time';
import type { InfoResponse } from '@/lib/matlib/schema';
import { MaterialCredit } from './material-credit';
import classes from './material-detail.module.css';
import { capitalized, formatDimensions } from './material-labels';

export function MaterialFacts({ info }: { info: InfoResponse }) {
  const { authors, dimensions_mm, max_resolution, available, hdri, model } = info;
  return (
    <dl className={classes.facts}>
      {dimensions_mm && dimensions_mm.length > 0 && (
        <Fact label="Real-world size">{formatDimensions(dimensions_mm)}</Fact>
      )}
      {max_resolution && <Fact label="Largest resolution">{max_resolution.join(' × ')} px</Fact>}
      {typeof model?.polycount === 'number' && (
        <Fact label="Polygons">
          {model.polycount.toLocaleString('en')}
          {model.has_lods ? ', with levels of detail' : ''}
        </Fact>
      )}
      {typeof hdri?.evs === 'number' && <Fact label="Dynamic range">{hdri.evs} EVs</Fact>}
      {typeof hdri?.whitebalance_k === 'number' && (
        <Fact label="White balance">{hdri.whitebalance_k.toLocaleString('en')} K</Fact>
      )}
      {info.categories.length > 0 && (
        <Fact label="Categories">{info.categories.map(capitalized).join(', ')}</Fact>
      )}
      {authors.length > 0 && (
        <Fact label="By">
          {authors
            .map(({ name, credit }) => (credit && credit !== 'All' ? `${name} (${credit})` : name))
            .join(', ')}
        </Fact>
      )}
      <Fact label="Published">{formatDate(info.published_at, 'UTC')}</Fact>
      <Fact label="Downloads">{info.download_count.toLocaleString('en')}</Fact>
      <Fact label="License">{available.license}</Fact>
      <Fact label="Source">
        <MaterialCredit source={info.source} />
        {available.page_url && (
          <>
            {' · '}
            <Anchor href={available.page_url} target="_blank" rel="noopener noreferrer" size="sm">
              View at source
            </Anchor>
          </>
        )}
      </Fact>
      {info.notes && <Fact label="Notes">{info.notes}</Fact>}
      <Fact label="ID">
        <CopyableCode value={info.id} label="Copy ID" />
      </Fact>
    </dl>
  );
}
