'use client';

import { Button, Divider, Group, Modal, Radio, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { type Choose, type Conflict, conflictKey, type Side } from '@/lib/document/merge/conflict';
import { chosenSides } from '@/lib/document/merge/merge-documents';
import type { EditorDocument } from './editor-change';
import { describeConflict } from './saving/conflict-text';

type ConflictDialogProps = {
  opened: boolean;
  conflicts: readonly Conflict[];
  versions: { mine: EditorDocument; theirs: EditorDocument };
  /** Says who saved the newer version. */
  title: string;
  onLater: () => void;
  onMerge: (choose: Choose) => void;
  onTheirs: () => Promise<void>;
  onMine: () => Promise<void>;
};

type ConflictListProps = Pick<ConflictDialogProps, 'conflicts' | 'versions' | 'onMerge'> & {
  disabled: boolean;
};

/** Lists the conflicts. For each one, the user chooses which side's value to keep. */
function ConflictList({ conflicts, versions, disabled, onMerge }: ConflictListProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const choose = (side: string, ...decided: readonly Conflict[]) => {
    const value = side === 'theirs' ? 'theirs' : 'mine';
    setChosen(new Map([...chosen, ...decided.map((conflict) => [conflictKey(conflict), value] as const)]));
  };
  return (
    <>
      <Text size="sm">
        Both versions change the same properties. Choose what to keep; all other changes are merged. Until you
        decide, your changes are stored in this browser.
      </Text>
      <ScrollArea.Autosize mah="40dvh" type="auto" offsetScrollbars="present">
        <Stack gap="sm">
          {conflicts.map((conflict) => {
            const { where, mine, theirs } = describeConflict(conflict, versions);
            const key = conflictKey(conflict);
            return (
              <Radio.Group
                key={key}
                size="sm"
                label={where}
                value={chosen.get(key) ?? conflict.keeps}
                onChange={(side) => choose(side, conflict)}
              >
                <Stack gap={4} mt={4}>
                  <Radio size="xs" value="mine" disabled={disabled} label={`Mine: ${mine}`} />
                  <Radio size="xs" value="theirs" disabled={disabled} label={`Theirs: ${theirs}`} />
                </Stack>
              </Radio.Group>
            );
          })}
        </Stack>
      </ScrollArea.Autosize>
      <Group justify="flex-end" gap="xs">
        {conflicts.length > 1 && (
          <>
            <Button variant="subtle" disabled={disabled} onClick={() => choose('mine', ...conflicts)}>
              All mine
            </Button>
            <Button variant="subtle" disabled={disabled} onClick={() => choose('theirs', ...conflicts)}>
              All theirs
            </Button>
          </>
        )}
        <Button data-autofocus disabled={disabled} onClick={() => onMerge(chosenSides(chosen))}>
          Merge
        </Button>
      </Group>
      <Divider label="or keep one version of the whole document" />
    </>
  );
}

/**
 * Asks how to resolve the conflicts between the user's changes and a newer saved version: one by one, or for the whole
 * document.
 */
export function ConflictDialog(props: ConflictDialogProps) {
  const { opened, conflicts, versions, title, onLater, onMerge, onTheirs, onMine } = props;
  const [busy, setBusy] = useState<'theirs' | 'mine' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const decide = async (what: 'theirs' | 'mine', act: () => Promise<void>) => {
    setBusy(what);
    setError(null);
    try {
      await act();
    } catch (error) {
      setError(error);
    } finally {
      setBusy(null);
    }
  };
  const canMerge = conflicts.every(({ kind }) => kind !== 'document');
  return (
    <Modal
      opened={opened}
      onClose={onLater}
      title={title}
      closeButtonProps={{ 'aria-label': 'Decide later' }}
    >
      <Stack gap="md">
        {canMerge ? (
          <ConflictList
            conflicts={conflicts}
            versions={versions}
            disabled={busy !== null}
            onMerge={onMerge}
          />
        ) : (
          <Text size="sm">
            The two versions cannot be merged, so only one of them can be kept. Your changes are not lost:
            they are stored in this browser until you decide.
          </Text>
        )}
        {error !== null && <ErrorAlert title="Something went wrong" error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            loading={busy === 'mine'}
            disabled={busy === 'theirs'}
            onClick={() => decide('mine', onMine)}
          >
            Overwrite with mine
          </Button>
          <Button
            variant="default"
            data-autofocus={canMerge ? undefined : true}
            loading={busy === 'theirs'}
            disabled={busy === 'mine'}
            onClick={() => decide('theirs', onTheirs)}
          >
            Load theirs
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          After loading theirs, you can restore your version with Undo.
        </Text>
      </Stack>
    </Modal>
  );
}
