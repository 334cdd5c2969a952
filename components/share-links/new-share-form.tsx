'use client';

import { Checkbox, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useDocuments } from '@/components/editor/documents/use-documents';
import { describeNameProblem } from '@/components/form/describe-name-problem';
import { FormFailure } from '@/components/form/form-failure';
import { SubmitButton } from '@/components/form/submit-button';
import { useRequest } from '@/components/form/use-request';
import { focusField } from '@/components/shell/focus-field';
import {
  type CreatedShareLink,
  createShareLinkBody,
  type ShareKind,
  shareKind,
} from '@/lib/share-links/schema';
import { createShareLink } from './share-link-calls';
import { shareExpiryChoices, shownBy } from './share-link-labels';

type NewShareFormProps = {
  projectId: string;
  /** The document that is selected initially; the main document if undefined. */
  documentId: string | undefined;
  /** The ids of the selected images. A link can share these images without the rest of the gallery. */
  imageIds: string[];
  /** The kind that is selected initially. */
  initialKind: ShareKind;
  onCreated: (created: CreatedShareLink) => void;
};

/** Asks what to share, for how long and with what options, and creates a share link. */
export function NewShareForm(props: NewShareFormProps) {
  const { projectId, initialKind, onCreated } = props;
  // Keep the images that were selected when the form opened, because other people can change the gallery in the
  // meantime.
  const [imageIds] = useState(props.imageIds);
  const [kind, setKind] = useState(initialKind);
  const documents = useDocuments(projectId).data ?? [];
  const [documentId, setDocumentId] = useState(props.documentId ?? projectId);
  const [name, setName] = useState('');
  const [days, setDays] = useState('7');
  const [allowDownload, setAllowDownload] = useState(false);
  const [showPrompts, setShowPrompts] = useState(false);
  const [nameError, setNameError] = useState<string | null>(null);
  const { busy, failure, run } = useRequest();
  const hasImages = kind !== 'document';

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const parsed = createShareLinkBody.safeParse({
      kind,
      imageIds: kind === 'images' ? imageIds : undefined,
      documentId: kind === 'document' ? documentId : undefined,
      name,
      expiresInDays: Number(days),
      allowDownload: hasImages && allowDownload,
      showPrompts: hasImages && showPrompts,
    });
    if (!parsed.success) {
      setNameError(describeNameProblem(name, parsed.error.issues[0]?.message));
      focusField(event.currentTarget, 'name');
      return;
    }
    await run(async () => onCreated(await createShareLink(projectId, parsed.data)));
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Radio.Group label="What to share" value={kind} onChange={(value) => setKind(shareKind.parse(value))}>
          <Stack gap="xs" mt="xs">
            {imageIds.length > 0 && (
              <Radio
                value="images"
                label={`Selected: ${shownBy({ kind: 'images', imageCount: imageIds.length })}`}
              />
            )}
            <Radio value="gallery" label="Gallery" description="All images, including those added later." />
            <Radio value="document" label="Document" description="Always the last saved version." />
          </Stack>
        </Radio.Group>
        {kind === 'document' && documents.some(({ id }) => id !== documentId) && (
          <Select
            label="Document"
            allowDeselect={false}
            searchable={documents.length > 10}
            data={documents.map(({ id, name }) => ({ value: id, label: name }))}
            value={documentId}
            onChange={(value) => setDocumentId(value ?? documentId)}
          />
        )}
        <TextInput
          name="name"
          label="Name"
          description="Visitors do not see it."
          placeholder="e.g. First review"
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setNameError(null);
          }}
          error={nameError}
          autoComplete="off"
          data-autofocus
        />
        <Select
          label="Expires in"
          data={shareExpiryChoices}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '7')}
        />
        {hasImages && (
          <>
            <Checkbox
              label="Offer downloads"
              checked={allowDownload}
              onChange={(event) => setAllowDownload(event.currentTarget.checked)}
            />
            <Checkbox
              label="Show prompts"
              checked={showPrompts}
              onChange={(event) => setShowPrompts(event.currentTarget.checked)}
            />
          </>
        )}
        <FormFailure text={failure} />
        <Group justify="flex-end">
          <SubmitButton loading={busy}>Create link</SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
