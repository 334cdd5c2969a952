'use client';

import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DropZone } from '@/components/files/drop-zone';
import { FormFailure } from '@/components/form/form-failure';
import { formatBytes } from '@/components/format/bytes';
import { createSubmitOnce } from '@/hooks/submit-once';
import { sendForm } from '@/lib/http/upload';
import { type Spec, uploadResponse } from '@/lib/specs/schema';
import { refusalOf } from './check-file';
import { describeUploadError, isDuplicateFile } from './describe-upload-error';

type Sending = { file: File; progress: number; abort: AbortController };
type Failure = { file: File; message: string; isDuplicate: boolean };

function formOf(spec: Spec, file: File, onDuplicate: 'refuse' | 'keep'): FormData {
  const form = new FormData();
  // Append the fields first, so that the server has them before the file arrives.
  form.set('brandName', spec.brandName);
  form.set('area', spec.area);
  if (spec.propertyName) form.set('propertyName', spec.propertyName);
  form.set('replaces', spec.specUploadId);
  form.set('onDuplicate', onDuplicate);
  form.set('file', file, file.name);
  return form;
}

type UploadVersionDialogProps = { spec: Spec; opened: boolean; onClose: () => void };

/** Uploads a file as the next version of a spec, then opens the new version. */
export function UploadVersionDialog({ spec, opened, onClose }: UploadVersionDialogProps) {
  const router = useRouter();
  const [sending, setSending] = useState<Sending | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [submitOnce] = useState(createSubmitOnce);
  const next = (spec.version ?? 1) + 1;

  const send = async (file: File, onDuplicate: 'refuse' | 'keep') => {
    const refusal = refusalOf(file);
    setFailure(refusal ? { file, message: refusal, isDuplicate: false } : null);
    if (refusal) return;
    const abort = new AbortController();
    setSending({ file, progress: 0, abort });
    try {
      const submission = JSON.stringify([
        spec.specUploadId,
        onDuplicate,
        file.name,
        file.size,
        file.lastModified,
      ]);
      const { specUploadId } = await submitOnce(submission, (idempotencyKey) =>
        sendForm('/api/admin/specs/upload', {
          form: formOf(spec, file, onDuplicate),
          idempotencyKey,
          schema: uploadResponse,
          signal: abort.signal,
          onProgress: (sent, total) => setSending({ file, progress: sent / total, abort }),
        }),
      );
      notifications.show({ message: `${file.name} was uploaded as v${next}.` });
      onClose();
      router.push(`/admin/specs/${specUploadId}`);
    } catch (error) {
      if (abort.signal.aborted) return;
      setFailure({ file, message: describeUploadError(error), isDuplicate: isDuplicateFile(error) });
    } finally {
      setSending(null);
    }
  };
  const close = () => {
    sending?.abort.abort();
    setFailure(null);
    onClose();
  };

  return (
    <Modal opened={opened} onClose={close} title={`Upload v${next}`}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          The file replaces {spec.fileName} in the list. The older version stays readable.
        </Text>
        {sending ? (
          <div>
            <Text size="sm" mb={4}>
              {sending.file.name}
              {sending.progress < 1
                ? ` · ${formatBytes(sending.progress * sending.file.size)} of ${formatBytes(sending.file.size)} sent`
                : ' · Checking'}
            </Text>
            <Progress value={sending.progress * 100} aria-label={`Upload progress of ${sending.file.name}`} />
          </div>
        ) : (
          <DropZone
            onDrop={([file]) => file && void send(file, 'refuse')}
            multiple={false}
            label="Drop the new version here"
            inputLabel="Choose the new version"
            accept="application/pdf,.pdf"
          >
            {(openFiles) => (
              <>
                <Text size="sm" flex="1 1 10rem">
                  Drop a PDF here.
                </Text>
                <Button onClick={openFiles} data-autofocus>
                  Choose PDF
                </Button>
              </>
            )}
          </DropZone>
        )}
        <FormFailure text={failure && `${failure.file.name}: ${failure.message}`} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {failure?.isDuplicate && (
            <Button onClick={() => void send(failure.file, 'keep')}>Upload anyway</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
