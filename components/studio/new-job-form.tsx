'use client';

import { Alert, Button, Group, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconSparkles } from '@tabler/icons-react';
import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { SubmitButton } from '@/components/form/submit-button';
import type { CreateJobPayload, ImageJob, MaterialPayload } from '@/lib/image-gen/schema';
import composer from './composer.module.css';
import { ComposerForm } from './composer-form';
import { InputImageChip } from './input-image-chip';
import { type DraftErrors, emptyJobDraft, type JobDraft, payloadOf } from './job-draft';
import { MaterialChips } from './material-chips';
import { MaterialsDialogOnDemand } from './materials-dialog-on-demand';
import { OptionAlert } from './option-alert';
import { OptionChips } from './option-chips';
import chips from './prompt-chips.module.css';
import { submitOnEnter } from './submit-on-enter';
import type { InputImageUpload } from './use-input-image-upload';
import { useMaterialDialog } from './use-material-dialog';
import { useProjectMaterials } from './use-project-materials';

type NewJobFormProps = {
  projectId: string;
  userId: string;
  draft: JobDraft;
  onChange: (draft: JobDraft | ((draft: JobDraft) => JobDraft)) => void;
  upload: InputImageUpload;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  /**
   * Whether to focus the prompt. True only if the user asked for the form, because focusing the prompt opens the
   * keyboard on a phone.
   */
  takeFocus: boolean;
  createJob: (payload: CreateJobPayload) => Promise<ImageJob>;
  onCreated: (jobId: string) => void;
};

/** Shows the form for a new image job: prompt, input image, materials and options. */
export function NewJobForm({
  projectId,
  userId,
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
  const [materials, setMaterials] = useProjectMaterials(userId, projectId);
  const picker = useMaterialDialog(prompt);
  useEffect(() => {
    if (takeFocus) prompt.current?.focus();
  }, [takeFocus, prompt]);

  const set = (change: Partial<JobDraft>) => {
    onChange((current) => ({ ...current, ...change }));
    setErrors({});
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // Enter submits even while the button is disabled.
    if (busy || upload.progress !== null) return;
    const { payload, errors } = payloadOf(projectId, draft, materials);
    if (errors) {
      setErrors(errors);
      if (errors.prompt) prompt.current?.focus();
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
  const changeMaterials = (next: MaterialPayload[]) => {
    setMaterials(next);
    setErrors({});
  };
  const clear = () => {
    upload.cancel();
    onChange(emptyJobDraft);
  };
  const isEmpty = JSON.stringify(draft) === JSON.stringify(emptyJobDraft);

  return (
    <ComposerForm label="New image" onSubmit={submit}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <Textarea
          ref={prompt}
          aria-label="Prompt"
          placeholder="A quiet hotel lobby at dusk, oak and linen, low lamps"
          autosize
          minRows={1}
          maxRows={6}
          flex={1}
          value={draft.prompt}
          error={errors.prompt}
          onChange={(event) => set({ prompt: picker.onType(draft.prompt, event) })}
          onKeyDown={submitOnEnter}
        />
        <SubmitButton
          loading={busy}
          disabled={upload.progress !== null}
          leftSection={<IconSparkles size={16} stroke={1.6} />}
        >
          Generate
        </SubmitButton>
      </Group>
      <div className={`${chips.chips} ${composer.chips}`}>
        <InputImageChip
          projectId={projectId}
          value={draft.input}
          onChange={(input) => set({ input })}
          upload={upload}
        />
        <MaterialChips materials={materials} onChange={changeMaterials} onFind={picker.open} />
        <OptionChips draft={draft} onChange={set} errors={errors} />
        {!isEmpty && (
          <Button size="compact-sm" variant="subtle" color="gray" disabled={busy} onClick={clear}>
            Clear
          </Button>
        )}
        <Text size="xs" c="dimmed" className={composer.hint}>
          Enter to generate, Shift + Enter for a new line, @ for a material.
        </Text>
      </div>
      {upload.error !== null && (
        <Text role="alert" size="sm" c="red" mt="xs">
          {upload.error}
        </Text>
      )}
      <OptionAlert errors={errors} />
      {failure !== null && (
        <Alert
          role="alert"
          color="red"
          variant="outline"
          mt="xs"
          icon={<IconAlertTriangle size={20} />}
          title="Couldn't start"
        >
          {describeError(failure)} Your input is saved.
        </Alert>
      )}
      <MaterialsDialogOnDemand
        opened={picker.opened}
        search={picker.typed}
        onClose={picker.close}
        onClosed={picker.focusPrompt}
        materials={materials}
        onChange={changeMaterials}
      />
    </ComposerForm>
  );
}
