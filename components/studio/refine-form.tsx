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
  /** What is refined: the chosen variant, or the latest; null while there is none. */
  source: ShownVariant | null;
  chosen: boolean;
  onClearSource: () => void;
  underWay: boolean;
  inputRef: Ref<HTMLTextAreaElement>;
  onSend: (prompt: string) => Promise<void>;
  onStale: () => void;
};

/** The next prompt of the conversation. */
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
      setPrompt('');
    } catch (error) {
      setError(describeError(error));
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit();
  };

  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.composer} aria-label="Refine">
      <Group gap="xs" mb="xs" wrap="nowrap" mih={28}>
        {source ? (
          <>
            <span className={classes.source}>
              <VariantImage variant={source.variant} alt="" onStale={onStale} />
              <Text span size="sm" fw={500}>
                {chosen ? `Refining image ${source.label}` : `Refining the latest image, ${source.label}`}
              </Text>
            </span>
            {chosen && (
              <CloseButton size="sm" aria-label="Refine the latest image instead" onClick={onClearSource} />
            )}
          </>
        ) : (
          <Text size="sm" c="dimmed">
            There is no image to refine yet; the prompt starts from the beginning.
          </Text>
        )}
      </Group>
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
      {underWay && (
        <Text size="xs" c="dimmed" mt={6}>
          The next prompt can be sent when this run has ended.
        </Text>
      )}
    </form>
  );
}
