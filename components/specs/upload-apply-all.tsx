'use client';

import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUploads } from './upload-queue-provider';
import classes from './upload-row.module.css';
import type { UploadFacts } from './upload-tray-state';

/** Sets the brand, area or property of all editable files. Fields left empty change nothing. */
export function UploadApplyAll({ brands, areas }: { brands: string[]; areas: string[] }) {
  const { applyToAll } = useUploads();
  const [facts, setFacts] = useState<Partial<UploadFacts>>({});
  const chosen = Object.fromEntries(Object.entries(facts).filter(([, value]) => value.trim() !== ''));
  return (
    <fieldset className={classes.all}>
      <legend>For all files</legend>
      <div className={classes.facts}>
        <Select
          label="Brand"
          data={brands}
          value={facts.brandName ?? null}
          onChange={(value) => setFacts({ ...facts, brandName: value ?? '' })}
          searchable
          clearable
          nothingFoundMessage="No brand matches"
        />
        <Select
          label="Area"
          data={areas}
          value={facts.area ?? null}
          onChange={(value) => setFacts({ ...facts, area: value ?? '' })}
          searchable
          clearable
          nothingFoundMessage="No area matches"
        />
        <TextInput
          label="Property (optional)"
          value={facts.propertyName ?? ''}
          maxLength={120}
          onChange={(event) => setFacts({ ...facts, propertyName: event.currentTarget.value })}
        />
        <Button
          variant="default"
          disabled={Object.keys(chosen).length === 0}
          onClick={() => applyToAll(chosen)}
        >
          Apply to all
        </Button>
      </div>
    </fieldset>
  );
}
