import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import type { Spec } from '@/lib/specs/schema';
import { editSpecs } from './spec-calls';

/** Restores the brand, area and property of `specs`, with one call for each group of specs that share these values. */
async function restoreFacts(specs: Spec[]): Promise<void> {
  const byFacts = Map.groupBy(specs, (spec) =>
    JSON.stringify([spec.brandName, spec.area, spec.propertyName]),
  );
  for (const group of byFacts.values()) {
    const [first] = group;
    if (!first) continue;
    const { brandName, area, propertyName } = first;
    const ids = group.map(({ specUploadId }) => specUploadId);
    const property = propertyName ? { propertyName } : { clearProperty: true };
    await editSpecs(ids, { brandName, area, ...property });
  }
}

/**
 * Shows how many specs were changed, with a button that undoes the change. `before` holds the specs before the change.
 */
export function showEdited(before: Spec[], edited: number, onChanged: () => void): void {
  const undo = async () => {
    notifications.hide(id);
    try {
      await restoreFacts(before);
      notifications.show({ message: 'The change was undone.' });
    } catch (error) {
      showError('The change could not be fully undone', error);
    } finally {
      onChanged();
    }
  };
  const id = notifications.show({
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">
          {countOf(edited, 'spec')} {edited === 1 ? 'was' : 'were'} changed.
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void undo()}>
          Undo
        </Button>
      </Group>
    ),
  });
}
