'use client';

import { Button, CloseButton, Input, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { MAX_MATERIALS, type MaterialPayload, materialPayload } from '@/lib/image-gen/schema';
import classes from './new-job-form.module.css';

type MaterialsFieldProps = {
  value: MaterialPayload[];
  onChange: (materials: MaterialPayload[]) => void;
  error?: string;
};

const empty = { name: '', id: '', imageUrl: '' };

/** What is typed as one material: what was left empty is left out. */
function materialOf(typed: typeof empty): { material: MaterialPayload } | { error: string } {
  const filled = Object.entries(typed).filter(([, text]) => text.trim() !== '');
  if (filled.length === 0) return { error: 'Give a name, an id or an image address.' };
  const parsed = materialPayload.safeParse(
    Object.fromEntries(filled.map(([key, text]) => [key, text.trim()])),
  );
  if (parsed.success) return { material: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path[0] === 'imageUrl' ? 'The image address' : `The ${String(issue?.path[0])}`;
  return { error: `${field} ${issue?.message ?? 'is not valid'}.` };
}

/** The materials that the image should show; at most twelve, each with a name, an id and an image as far as known. */
export function MaterialsField({ value, onChange, error }: MaterialsFieldProps) {
  const [typed, setTyped] = useState(empty);
  const [refused, setRefused] = useState<string | null>(null);
  const name = useRef<HTMLInputElement>(null);
  const isFull = value.length >= MAX_MATERIALS;

  const add = () => {
    const result = materialOf(typed);
    if ('error' in result) {
      setRefused(result.error);
    } else {
      onChange([...value, result.material]);
      setTyped(empty);
      setRefused(null);
    }
    name.current?.focus();
  };
  const field = (key: keyof typeof empty) => ({
    value: typed[key],
    disabled: isFull,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      setTyped({ ...typed, [key]: event.currentTarget.value });
      setRefused(null);
    },
    // Within the form of the whole job: Enter adds the material and does not start the job.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      add();
    },
  });

  return (
    <Input.Wrapper
      label="Materials"
      labelElement="div"
      description={`At most ${MAX_MATERIALS}. The image address is handed to the workflow as it is.`}
      error={refused ?? error}
      errorProps={{ role: 'alert' }}
    >
      {value.length > 0 && (
        <ul className={classes.materials} aria-label="Chosen materials">
          {value.map((material, index) => {
            const label = material.name ?? material.id ?? material.imageUrl ?? 'Material';
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two equal materials apart.
              <li key={index} className={classes.material}>
                <Text span size="sm" truncate maw="14rem" title={material.imageUrl}>
                  {label}
                </Text>
                <CloseButton
                  size="sm"
                  aria-label={`Remove ${label}`}
                  onClick={() => {
                    onChange(value.filter((_, i) => i !== index));
                    name.current?.focus();
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
      <div className={classes.addMaterial}>
        <TextInput ref={name} aria-label="Name of the material" placeholder="Name" {...field('name')} />
        <TextInput aria-label="Id of the material" placeholder="Id" {...field('id')} />
        <TextInput
          type="url"
          aria-label="Image address of the material"
          placeholder="https:// image address"
          {...field('imageUrl')}
        />
        <Button variant="default" onClick={add} disabled={isFull}>
          Add
        </Button>
      </div>
    </Input.Wrapper>
  );
}
