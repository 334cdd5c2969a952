'use client';

import { Button, CloseButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { MaterialChoice } from '@/components/editor/pickers/material-choice';
import { togglePick } from '@/components/editor/pickers/pick-list';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { countOf } from '@/components/format/count';
import { Thumbnail } from '@/components/materials/thumbnail';
import type { TrayMaterial } from '@/components/materials/tray-state';
import { type CreateSwapPayload, MAX_SWAP_MATERIALS, swapWhere } from '@/lib/image-gen/swaps/schema';
import { promptMaterial } from '../prompt-materials';
import type { ShownVariant } from '../runs';
import { VariantImage } from '../variant-image';
import classes from './swap.module.css';

type SwapDialogProps = {
  projectId: string;
  /** The image to start from. Null while the dialog is closed. */
  source: ShownVariant | null;
  onClose: () => void;
  createSwap: (payload: CreateSwapPayload) => Promise<string>;
  /** Receives the id of the new swap. */
  onStarted: (swapId: string) => void;
  onStale: () => void;
};

/** Dialog that starts a material swap: an image, the part of it that changes, and the materials to try there. */
export function SwapDialog({ source, onClose, ...props }: SwapDialogProps) {
  return (
    <Modal
      opened={source !== null}
      onClose={onClose}
      size="xl"
      title={source ? `Swap materials of image ${source.label}` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {source && <SwapForm {...props} source={source} onClose={onClose} />}
    </Modal>
  );
}

function SwapForm({
  projectId,
  source,
  onClose,
  createSwap,
  onStarted,
  onStale,
}: SwapDialogProps & { source: ShownVariant }) {
  const field = useRef<HTMLInputElement>(null);
  const [where, setWhere] = useState('');
  const [picks, setPicks] = useState<TrayMaterial[]>([]);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const toggle = (material: TrayMaterial) =>
    setPicks((all) => togglePick(all, material, ({ id }) => id, MAX_SWAP_MATERIALS));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || picks.length === 0) return;
    const parsed = swapWhere.safeParse(where);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      field.current?.focus();
      setWrong(where.trim() === '' ? 'Describe what to change first.' : `The text ${issue?.message}.`);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const materials = picks.map(promptMaterial);
      onStarted(await createSwap({ projectId, variantId: source.variant.id, where: parsed.data, materials }));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div className={classes.ask}>
          <VariantImage
            variant={source.variant}
            alt={`Image ${source.label}`}
            className={classes.source}
            onStale={onStale}
          />
          <TextInput
            ref={field}
            label="Where"
            description="The part of the image to change."
            placeholder="the floor"
            value={where}
            error={wrong}
            data-autofocus
            autoComplete="off"
            onChange={(event) => {
              setWhere(event.currentTarget.value);
              setWrong(null);
            }}
          />
        </div>
        <MaterialChoice
          isPicked={(material) => picks.some(({ id }) => id === material.id)}
          onToggle={toggle}
          texturesOnly
          autoFocus={false}
          foot={
            <>
              {picks.length > 0 && <Picks picks={picks} onRemove={toggle} />}
              {failure !== null && <ErrorAlert title="The swap could not be started" error={failure} />}
              <Text size="sm" c="dimmed" role="status">
                {picks.length === 0
                  ? `Select up to ${MAX_SWAP_MATERIALS} materials`
                  : picks.length === MAX_SWAP_MATERIALS
                    ? `${MAX_SWAP_MATERIALS} materials selected (maximum)`
                    : `${countOf(picks.length, 'material')} selected`}
              </Text>
              <Group gap="xs">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button type="submit" disabled={picks.length === 0} loading={busy}>
                  Generate
                </Button>
              </Group>
            </>
          }
        />
      </Stack>
    </form>
  );
}

type PicksProps = { picks: readonly TrayMaterial[]; onRemove: (material: TrayMaterial) => void };

/** The selected materials, which may be outside of the results of the search. */
function Picks({ picks, onRemove }: PicksProps) {
  return (
    <ul className={classes.picks} aria-label="Selected materials">
      {picks.map((material) => (
        <li key={material.id}>
          <Thumbnail src={material.thumbnailUrl} className={classes.swatch} />
          <span className={classes.name} title={material.name}>
            {material.name}
          </span>
          <CloseButton size="sm" aria-label={`Remove ${material.name}`} onClick={() => onRemove(material)} />
        </li>
      ))}
    </ul>
  );
}
