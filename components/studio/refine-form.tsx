'use client';

import { Button, CloseButton, Group, Text, Textarea } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconWand } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import classes from './conversation.module.css';
import { promptError } from './job-draft';
import type { ShownVariant } from './runs';
import { VariantImage } from './variant-image';

type RefineFormProps = {
  jobId: string;
  /** The variant to refine: the chosen one, or the latest; null if there is none. */
  source: ShownVariant | null;
  chosen: boolean;
  onClearSource: () => void;
  underWay: boolean;
  inputRef: Ref<HTMLTextAreaElement>;
  onSend: (prompt: string) => Promise<void>;
  onStale: () => void;
};

/** Form for the next prompt of the conversation. */
export function RefineForm({ jobId, source, chosen, onClearSource, underWay, ...rest }: RefineFormProps) {
  const { inputRef, onSend, onStale } = rest;
  const [prompt, setPrompt] = useSessionStorage({ key: `atelier:refine:${jobId}`, defaultValue: '' });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay || busy) return;
    const wrong = promptError(prompt);
    setError(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      await onSend(prompt.trim());
      setPrompt((now) => (now === prompt ? '' : now));
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes a word, Enter completes the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };

  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.composer} aria-label="Refine">
      {source ? (
        <Group gap="xs" mb="xs" wrap="nowrap" mih={28}>
          <span className={classes.source}>
            <VariantImage variant={source.variant} alt="" onStale={onStale} />
            <Text span size="sm" fw={500}>
              {chosen ? `Refining ${source.label}` : `Refining ${source.label}, the latest image`}
            </Text>
          </span>
          {chosen && <CloseButton size="sm" aria-label="Use latest image" onClick={onClearSource} />}
        </Group>
      ) : (
        !underWay && (
          <Text size="sm" c="dimmed" mb="xs">
            No image to refine yet. The next prompt starts from scratch.
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
            setPrompt(event.currentTarget.value);
            setError(null);
          }}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          loading={busy}
          disabled={underWay}
          leftSection={<IconWand size={16} stroke={1.8} />}
        >
          Refine
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={6}>
        {underWay ? 'You can refine when this finishes.' : 'Enter to refine, Shift + Enter for a new line.'}
      </Text>
    </form>
  );
}
