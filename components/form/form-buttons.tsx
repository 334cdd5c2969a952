'use client';

import { Button, Group } from '@mantine/core';
import { SubmitButton } from '@/components/form/submit-button';

type FormButtonsProps = { action: string; busy: boolean; onCancel: () => void };

/** Shows the buttons of a dialog's form: Cancel and the submit button. */
export function FormButtons({ action, busy, onCancel }: FormButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={busy}>
        Cancel
      </Button>
      <SubmitButton loading={busy}>{action}</SubmitButton>
    </Group>
  );
}
