'use client';

import { Button, Group, Modal, NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { SubmitButton } from '@/components/form/submit-button';
import { useLastKnown } from '@/hooks/use-last-known';
import { customSize } from '@/lib/document/schema';
import { fitPaper, type PaperPatch } from '../fit-paper';
import { paperLabel } from '../paper-label';
import { useEditorContext } from '../use-editor';

type PaperDialogProps = {
  /** The paper to change to; null while the dialog is closed. */
  requested: PaperPatch | null;
  onClose: () => void;
};

/** Asks for the size of custom paper, and whether to scale the elements to the new paper. */
export function PaperDialog({ requested, onClose }: PaperDialogProps) {
  // Keep showing the content while the dialog fades out.
  const shown = useLastKnown<PaperPatch | null>(requested ?? undefined, null);
  return (
    <Modal opened={requested !== null} onClose={onClose} size="sm" title="Change the paper">
      {shown && <PaperForm paper={shown} onClose={onClose} />}
    </Modal>
  );
}

const sides = ['width', 'height'] as const;
const sideNames = { width: 'Width', height: 'Height' };

function PaperForm({ paper, onClose }: { paper: PaperPatch; onClose: () => void }) {
  const { store } = useEditorContext();
  const [size, setSize] = useState<Record<(typeof sides)[number], string | number>>(paper.customSize);
  const [fit, setFit] = useState('scale');
  const parsed = customSize.safeParse(size);
  const chosen = { ...paper, customSize: parsed.data ?? paper.customSize };
  const apply = () => {
    const patch = fitPaper(store.get().document, chosen, fit === 'scale');
    store.dispatch({ type: 'document-changed', patch });
    onClose();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (parsed.success) apply();
      }}
    >
      <Stack gap="md">
        {paper.format === 'custom' && (
          <Group grow align="flex-start">
            {sides.map((side) => (
              <NumberInput
                key={side}
                label={sideNames[side]}
                suffix=" mm"
                decimalScale={2}
                value={size[side]}
                error={parsed.error?.issues.find(({ path }) => path[0] === side) && '50 to 1,000 mm'}
                onChange={(value) => setSize({ ...size, [side]: value })}
              />
            ))}
          </Group>
        )}
        <Radio.Group label="Elements on the pages" value={fit} onChange={setFit}>
          <Stack gap={6} mt={6}>
            <Radio value="scale" label="Scale to fit the new paper" />
            <Radio value="keep" label="Keep size and position" />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton disabled={!parsed.success} data-autofocus>
            {parsed.success ? `Change to ${paperLabel(chosen)}` : 'Change'}
          </SubmitButton>
        </Group>
      </Stack>
    </form>
  );
}
