'use client';

import { Checkbox, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FormButtons } from '@/components/form/form-buttons';
import { FormDialog } from '@/components/form/form-dialog';
import { FormFailure } from '@/components/form/form-failure';
import { openOnTyping } from '@/components/form/open-on-typing';
import { useRequest } from '@/components/form/use-request';
import { countOf } from '@/components/format/count';
import type { Spec } from '@/lib/specs/schema';
import { showEdited } from './show-edited';
import { editSpecs, type SpecEdit } from './spec-calls';

type Facts = { brandName: string | null; area: string | null; propertyName: string; clearProperty: boolean };

function factsOf(specs: Spec[]): Facts {
  const [spec] = specs;
  if (!spec || specs.length > 1)
    return { brandName: null, area: null, propertyName: '', clearProperty: false };
  const { brandName, area, propertyName } = spec;
  return { brandName, area, propertyName: propertyName ?? '', clearProperty: false };
}

/** Returns the facts that differ from the form's initial values. */
function changeOf(before: Facts, after: Facts): SpecEdit {
  const change: SpecEdit = {};
  const property = after.propertyName.trim();
  if (after.brandName && after.brandName !== before.brandName) change.brandName = after.brandName;
  if (after.area && after.area !== before.area) change.area = after.area;
  if (after.clearProperty || (property === '' && before.propertyName !== '')) change.clearProperty = true;
  else if (property !== before.propertyName) change.propertyName = property;
  return change;
}

type FormProps = {
  specs: Spec[];
  brands: string[];
  areas: string[];
  onChanged: () => void;
  onDone: () => void;
  onCancel: () => void;
};

function EditForm({ specs, brands, areas, onChanged, onDone, onCancel }: FormProps) {
  const [before] = useState(() => factsOf(specs));
  const [facts, setFacts] = useState(before);
  const { busy, failure, setFailure, run } = useRequest();
  const isOne = specs.length === 1;
  const edit = (change: Partial<Facts>) => {
    setFacts({ ...facts, ...change });
    setFailure(null);
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const change = changeOf(before, facts);
    if (Object.keys(change).length === 0) {
      setFailure('Change at least one field.');
      return;
    }
    await run(async () => {
      const ids = specs.map(({ specUploadId }) => specUploadId);
      const edited = await editSpecs(ids, change);
      showEdited(specs, edited, onChanged);
      onDone();
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {isOne
            ? 'The spec is not processed again'
            : 'Fields left empty do not change. No spec is processed again'}
          , and a run in progress keeps the names it started with. All versions of a spec move together.
        </Text>
        <Select
          {...openOnTyping}
          label="Brand"
          placeholder={isOne ? undefined : 'Unchanged'}
          data={brands}
          value={facts.brandName}
          onChange={(brandName) => edit({ brandName })}
          clearable={!isOne}
          allowDeselect={false}
          nothingFoundMessage="No brand matches"
          data-autofocus
        />
        <Select
          label="Area"
          placeholder={isOne ? undefined : 'Unchanged'}
          data={areas}
          value={facts.area}
          onChange={(area) => edit({ area })}
          searchable
          clearable={!isOne}
          allowDeselect={false}
          nothingFoundMessage="No area matches"
        />
        <TextInput
          label="Property (optional)"
          placeholder={isOne || facts.clearProperty ? undefined : 'Unchanged'}
          value={facts.propertyName}
          maxLength={120}
          disabled={facts.clearProperty}
          onChange={(event) => edit({ propertyName: event.currentTarget.value })}
          autoComplete="off"
        />
        {!isOne && (
          <Checkbox
            label="Remove the property"
            checked={facts.clearProperty}
            onChange={(event) => edit({ clearProperty: event.currentTarget.checked, propertyName: '' })}
          />
        )}
        <FormFailure text={failure} />
        <FormButtons action="Save" busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

type DialogProps = {
  opened: boolean;
  specs: Spec[];
  brands: string[];
  areas: string[];
  /** Called after an edit and after an attempt to undo it. */
  onChanged: () => void;
  onClose: () => void;
};

/** Asks for a new brand, area or property and applies it to one or more specs. */
export function EditSpecsDialog({ opened, specs, brands, areas, onChanged, onClose }: DialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={specs.length > 1 ? `Edit ${countOf(specs.length, 'spec')}` : 'Edit spec'}
    >
      <EditForm
        specs={specs}
        brands={brands}
        areas={areas}
        onChanged={onChanged}
        onDone={() => {
          onChanged();
          onClose();
        }}
        onCancel={onClose}
      />
    </FormDialog>
  );
}
