'use client';

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { countOf } from '@/components/format/count';
import type { Standard, StandardSection } from '@/lib/specs/standards/schema';
import pickClasses from '../pickers/pick.module.css';
import { togglePick } from '../pickers/pick-list';
import { SectionChoice } from './section-choice';
import { StandardList } from './standard-list';

const MAX_PICKS = 12;

type InsertStandardDialogProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  /** Receives the picked sections in the order of the brand standard. */
  onPick: (standard: Standard, sections: StandardSection[]) => void;
};

/** Dialog to find a brand standard and pick some of its sections. */
export function InsertStandardDialog({ opened, onClose, ...props }: InsertStandardDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="xl" title="Insert brand standard">
      {/* Mounted only while the dialog is open, so that it always opens with nothing picked. */}
      <Choice {...props} onClose={onClose} />
    </Modal>
  );
}

function Choice({ projectId, onClose, onPick }: Omit<InsertStandardDialogProps, 'opened'>) {
  const [chosen, setChosen] = useState<{ standard: Standard; button: HTMLButtonElement } | null>(null);
  const standard = chosen?.standard ?? null;
  const [picks, setPicks] = useState<StandardSection[]>([]);
  const goBack = () => {
    // Show the list immediately. Until it is shown, the button of the chosen standard is hidden and cannot be focused.
    flushSync(() => {
      setChosen(null);
      setPicks([]);
    });
    chosen?.button.focus();
  };

  const insert = () => {
    if (!standard) return;
    onPick(
      standard,
      picks.toSorted((a, b) => a.number - b.number),
    );
    onClose();
  };
  return (
    <Stack gap="md">
      {/* The list stays mounted while it is hidden, so that it is unchanged when the user goes back to it. */}
      <div hidden={standard !== null}>
        <StandardList
          projectId={projectId}
          onChoose={(standard, button) => setChosen({ standard, button })}
        />
      </div>
      {standard && (
        <SectionChoice
          projectId={projectId}
          standard={standard}
          picks={picks}
          isFull={picks.length === MAX_PICKS}
          onToggle={(section) =>
            setPicks((all) => togglePick(all, section, ({ number }) => String(number), MAX_PICKS))
          }
          onBack={goBack}
        />
      )}
      <div className={pickClasses.foot}>
        <Text size="sm" c="dimmed" role="status">
          {picks.length === 0
            ? 'No sections selected'
            : `${countOf(picks.length, 'section')} selected${picks.length === MAX_PICKS ? ' (maximum)' : ''}`}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={picks.length === 0} onClick={insert}>
            Insert
          </Button>
        </Group>
      </div>
    </Stack>
  );
}
