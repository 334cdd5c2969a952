'use client';

import { Button, CloseButton, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { MaterialChoice } from '@/components/editor/pickers/material-choice';
import { togglePick } from '@/components/editor/pickers/pick-list';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { SubmitButton } from '@/components/form/submit-button';
import { countOf } from '@/components/format/count';
import { Thumbnail } from '@/components/materials/thumbnail';
import type { TrayMaterial } from '@/components/materials/tray-state';
import { focusField } from '@/components/shell/focus-field';
import { type CreateSwapPayload, MAX_SWAP_MATERIALS, swapWhere } from '@/lib/image-gen/swaps/schema';
import { promptMaterial } from '../prompt-materials';
import { MaskCanvas } from '../region/mask-canvas';
import type { Region } from '../region/region';
import { RegionButton } from '../region/region-button';
import { RegionDialog } from '../region/region-dialog';
import { uploadMask } from '../region/upload-mask';
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

/**
 * Shows a dialog that starts a material swap from `source`. The user describes or paints the region to change, or both,
 * and selects the materials to try there.
 */
export function SwapDialog({ source, onClose, ...props }: SwapDialogProps) {
  const [painting, setPainting] = useState(false);
  return (
    <Modal
      opened={source !== null}
      onClose={onClose}
      size="xl"
      title={source ? `Swap materials of image ${source.label}` : ''}
      closeOnEscape={!painting}
    >
      {source && (
        <SwapForm {...props} source={source} onClose={onClose} painting={painting} onPaint={setPainting} />
      )}
    </Modal>
  );
}

type SwapFormProps = SwapDialogProps & {
  source: ShownVariant;
  /** Whether the dialog to paint the region is open. */
  painting: boolean;
  onPaint: (painting: boolean) => void;
};

function SwapForm({
  projectId,
  source,
  onClose,
  createSwap,
  onStarted,
  onStale,
  painting,
  onPaint,
}: SwapFormProps) {
  const regionButton = useRef<HTMLButtonElement>(null);
  const [where, setWhere] = useState('');
  const [region, setRegion] = useState<Region | null>(null);
  const [picks, setPicks] = useState<TrayMaterial[]>([]);
  const [wrong, setWrong] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const toggle = (material: TrayMaterial) =>
    setPicks((all) => togglePick(all, material, ({ id }) => id, MAX_SWAP_MATERIALS));

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || picks.length === 0) return;
    const isBlank = where.trim() === '';
    const parsed = swapWhere.safeParse(where);
    if (!parsed.success && !(isBlank && region)) {
      const [issue] = parsed.error.issues;
      focusField(event.currentTarget, 'where');
      setWrong(isBlank ? 'Describe what to change, or edit a region.' : `The text ${issue?.message}.`);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const materials = picks.map(promptMaterial);
      const maskImageId = region ? await uploadMask(projectId, region) : undefined;
      const variantId = source.variant.id;
      onStarted(await createSwap({ projectId, variantId, where: parsed.data, maskImageId, materials }));
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <div className={classes.ask}>
          <div className={classes.source}>
            <VariantImage variant={source.variant} alt={`Image ${source.label}`} onStale={onStale} />
            {region && <MaskCanvas marks={region.marks} picture={region.picture} />}
          </div>
          <Stack gap="xs" align="flex-start">
            <TextInput
              name="where"
              w="100%"
              label="Where"
              description={
                region ? 'Optional, because a region is marked.' : 'The part of the image to change.'
              }
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
            <Group gap="xs">
              <RegionButton
                ref={regionButton}
                hasRegion={region !== null}
                onEdit={() => onPaint(true)}
                onRemove={() => {
                  setRegion(null);
                  regionButton.current?.focus();
                }}
              />
            </Group>
          </Stack>
        </div>
        <RegionDialog
          shown={painting ? source : null}
          region={region}
          onClose={() => onPaint(false)}
          onClosed={() => regionButton.current?.focus()}
          onUse={(painted) => {
            setRegion(painted);
            setWrong(null);
            onPaint(false);
          }}
          onStale={onStale}
        />
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
              <Group gap="xs" ms="auto">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <SubmitButton disabled={picks.length === 0} loading={busy}>
                  Generate
                </SubmitButton>
              </Group>
            </>
          }
        />
      </Stack>
    </form>
  );
}

type PicksProps = { picks: readonly TrayMaterial[]; onRemove: (material: TrayMaterial) => void };

/** Shows the selected materials, including those that the current search does not find. */
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
