'use client';

import { Alert, Button, Collapse, Group, Text, Textarea, Title, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconChevronDown, IconChevronRight, IconSparkles } from '@tabler/icons-react';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { useMaterialTray } from '@/components/materials/tray-provider';
import type { CreateJobPayload, ImageJob } from '@/lib/image-gen/schema';
import { InputImageField } from './input-image-field';
import { type DraftErrors, emptyJobDraft, type JobDraft, payloadOf } from './job-draft';
import { MaterialsField } from './materials-field';
import classes from './new-job-form.module.css';
import { OptionFields } from './option-fields';
import { useCommandKey } from './use-command-key';
import type { InputImageUpload } from './use-input-image-upload';

type NewJobFormProps = {
  projectId: string;
  draft: JobDraft;
  onChange: (draft: JobDraft | ((draft: JobDraft) => JobDraft)) => void;
  upload: InputImageUpload;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /** Whether to focus the prompt: only if the user asked for the form, as it opens the keyboard on a phone. */
  takeFocus: boolean;
  createJob: (payload: CreateJobPayload) => Promise<ImageJob>;
  onCreated: (jobId: string) => void;
};

/** Form for a new image job: prompt, input image, materials and options. */
export function NewJobForm({
  projectId,
  draft,
  onChange,
  upload,
  createJob,
  onCreated,
  ...rest
}: NewJobFormProps) {
  const { inputRef: prompt, takeFocus } = rest;
  const [errors, setErrors] = useState<DraftErrors>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const tray = useMaterialTray();
  const commandKey = useCommandKey();
  const { size, seed, safety } = draft;
  const filled = size !== '' || seed !== '' || safety !== '' || tray.materials.length > 0;
  const [opened, setOpened] = useState<boolean | null>(null);
  const more = opened ?? filled;
  const moreId = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (takeFocus) prompt.current?.focus();
  }, [takeFocus, prompt]);

  const set = (change: Partial<JobDraft>) => {
    onChange((known) => ({ ...known, ...change }));
    setErrors({});
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Ctrl + Enter submits even while the button is disabled.
    if (busy || upload.progress !== null) return;
    const { payload, errors } = payloadOf(projectId, draft, tray.materials);
    if (errors) {
      setErrors(errors);
      if (errors.prompt) prompt.current?.focus();
      else setOpened(true);
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const job = await createJob(payload);
      onCreated(job.jobId);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) form.current?.requestSubmit();
  };
  const clear = () => {
    upload.cancel();
    onChange(emptyJobDraft);
  };
  const isEmpty = JSON.stringify(draft) === JSON.stringify(emptyJobDraft);

  return (
    <form ref={form} onSubmit={submit} noValidate className={classes.form} aria-label="New image">
      <Title order={2}>New image</Title>
      <Textarea
        ref={prompt}
        label="Prompt"
        className={classes.prompt}
        description={`Describe the image. ${commandKey} + Enter to generate.`}
        placeholder="A quiet hotel lobby at dusk, oak and linen, low lamps"
        autosize
        minRows={3}
        maxRows={12}
        value={draft.prompt}
        error={errors.prompt}
        onChange={(event) => set({ prompt: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <InputImageField
        projectId={projectId}
        value={draft.input}
        onChange={(input) => set({ input })}
        upload={upload}
      />
      <div>
        <UnstyledButton aria-expanded={more} aria-controls={moreId} onClick={() => setOpened(!more)}>
          <Group gap={6}>
            {more ? (
              <IconChevronDown size={16} aria-hidden="true" />
            ) : (
              <IconChevronRight size={16} aria-hidden="true" />
            )}
            <Text size="sm" fw={500}>
              Materials, size, seed and safety
            </Text>
          </Group>
        </UnstyledButton>
        <Collapse expanded={more} id={moreId}>
          <div className={classes.more}>
            <MaterialsField
              leftOut={draft.leftOut}
              onChange={(leftOut) => set({ leftOut })}
              error={errors.materials}
            />
            <OptionFields draft={draft} onChange={set} errors={errors} />
          </div>
        </Collapse>
      </div>
      {failure !== null && (
        <Alert
          role="alert"
          color="red"
          variant="outline"
          icon={<IconAlertTriangle size={20} />}
          title="Couldn't start"
        >
          {describeError(failure)} Your input is saved.
        </Alert>
      )}
      <Group justify="flex-end">
        {!isEmpty && (
          <Button variant="subtle" color="gray" disabled={busy} onClick={clear}>
            Clear
          </Button>
        )}
        <Button
          type="submit"
          loading={busy}
          disabled={upload.progress !== null}
          leftSection={<IconSparkles size={16} stroke={1.6} />}
        >
          Generate
        </Button>
      </Group>
    </form>
  );
}
