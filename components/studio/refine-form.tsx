'use client';

import { CloseButton, Group, Text, Textarea } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconWand } from '@tabler/icons-react';
import { type FormEvent, type RefObject, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { SubmitButton } from '@/components/form/submit-button';
import type { OwnSettings } from '@/hooks/image-gen/image-jobs';
import composer from './composer.module.css';
import { ComposerForm } from './composer-form';
import classes from './conversation.module.css';
import { promptError } from './job-draft';
import { MaterialChips } from './material-chips';
import { MaterialsDialogOnDemand } from './materials-dialog-on-demand';
import { OptionAlert } from './option-alert';
import { OptionChips } from './option-chips';
import type { OptionErrors } from './option-draft';
import chips from './prompt-chips.module.css';
import {
  ownSettings,
  type PromptSettings,
  type RefineDraft,
  refineDraft,
  refineDraftOf,
} from './refine-draft';
import { RegionButton } from './region/region-button';
import { type ShownVariant, seedOf } from './runs';
import { submitOnEnter } from './submit-on-enter';
import { useMaterialDialog } from './use-material-dialog';
import { VariantImage } from './variant-image';

function readDraft(text: string | undefined): RefineDraft | null {
  try {
    return refineDraft.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

type RefineFormProps = {
  jobId: string;
  /** The variant to refine: the chosen one or, by default, the latest. Null if no variants are loaded. */
  source: ShownVariant | null;
  /** Whether there are earlier prompts that are not loaded. Their latest image is refined if `source` is null. */
  hasEarlier: boolean;
  chosen: boolean;
  onClearSource: () => void;
  /** The settings of the job. Only settings that differ from these are sent. */
  jobSettings: PromptSettings;
  /** The initial settings. They come from the prompt that generated `source` or, if `source` is null, from the job. */
  sourceSettings: PromptSettings;
  /** Whether a region of `source` is painted. */
  hasRegion: boolean;
  /** Opens the dialog to paint the region. */
  onEditRegion: () => void;
  onClearRegion: () => void;
  underWay: boolean;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onSend: (prompt: string, own: OwnSettings) => Promise<void>;
  onStale: () => void;
};

/** Shows the form for the next prompt of a conversation. */
export function RefineForm({ jobId, source, chosen, onClearSource, underWay, ...rest }: RefineFormProps) {
  const { inputRef, onSend, onStale, jobSettings, sourceSettings } = rest;
  const { hasEarlier, hasRegion, onEditRegion, onClearRegion } = rest;
  const [prompt, setPrompt] = useSessionStorage({ key: `atelier:refine:${jobId}`, defaultValue: '' });
  // Null until the user changes a material or an option. Until then, the form shows `sourceSettings`.
  const [changed, setChanged] = useSessionStorage<RefineDraft | null>({
    key: `atelier:refine-settings:${jobId}`,
    defaultValue: null,
    deserialize: readDraft,
  });
  const [error, setError] = useState<string | null>(null);
  const [optionErrors, setOptionErrors] = useState<OptionErrors>({});
  const [busy, setBusy] = useState(false);
  const picker = useMaterialDialog(inputRef);
  const draft = changed ?? refineDraftOf(sourceSettings);
  const seed = source ? seedOf(source) : undefined;

  const change = (next: RefineDraft) => {
    setChanged(next);
    setOptionErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay || busy) return;
    const wrong = promptError(prompt);
    const { own, errors } = ownSettings(draft, jobSettings);
    setError(wrong);
    setOptionErrors(errors ?? {});
    if (wrong || errors) return;
    setBusy(true);
    try {
      await onSend(prompt.trim(), own);
      setPrompt((now) => (now === prompt ? '' : now));
      setChanged((now) => (now === changed ? null : now));
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ComposerForm label="Refine" onSubmit={submit}>
      {source ? (
        <Group gap="xs" mb="xs" mih={28}>
          <span className={classes.source}>
            <VariantImage variant={source.variant} alt="" onStale={onStale} />
            <Text span size="sm" fw={500}>
              {hasRegion
                ? `Refining a region of ${source.label}`
                : chosen
                  ? `Refining ${source.label}`
                  : `Refining ${source.label}, the latest image`}
            </Text>
          </span>
          {chosen && <CloseButton size="sm" aria-label="Use latest image" onClick={onClearSource} />}
          <RegionButton hasRegion={hasRegion} onEdit={onEditRegion} onRemove={onClearRegion} />
        </Group>
      ) : (
        !underWay && (
          <Text size="sm" c="dimmed" mb="xs">
            {hasEarlier
              ? 'Refining the latest image of the earlier prompts, if there is one.'
              : 'No image to refine yet. The next prompt starts from scratch.'}
          </Text>
        )
      )}
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <Textarea
          ref={inputRef}
          aria-label="What should change"
          placeholder="What should change?"
          autosize
          minRows={1}
          maxRows={6}
          flex={1}
          value={prompt}
          error={error}
          onChange={(event) => {
            setPrompt(picker.onType(prompt, event));
            setError(null);
          }}
          onKeyDown={submitOnEnter}
        />
        <SubmitButton loading={busy} disabled={underWay} leftSection={<IconWand size={16} stroke={1.8} />}>
          Refine
        </SubmitButton>
      </Group>
      <div className={`${chips.chips} ${composer.chips}`}>
        <MaterialChips
          materials={draft.materials}
          onChange={(materials) => change({ ...draft, materials })}
          onFind={picker.open}
        />
        <OptionChips
          draft={draft.options}
          onChange={(options) => change({ ...draft, options: { ...draft.options, ...options } })}
          errors={optionErrors}
          seedSource={source && seed !== undefined ? { label: source.label, seed: String(seed) } : undefined}
        />
        <Text size="xs" c="dimmed" className={composer.hint}>
          {underWay
            ? 'You can refine when this finishes.'
            : 'Enter to refine, Shift + Enter for a new line, @ for a material.'}
        </Text>
      </div>
      <OptionAlert errors={optionErrors} />
      <MaterialsDialogOnDemand
        opened={picker.opened}
        search={picker.typed}
        onClose={picker.close}
        onClosed={picker.focusPrompt}
        materials={draft.materials}
        onChange={(materials) => change({ ...draft, materials })}
      />
    </ComposerForm>
  );
}
