'use client';

import { Kbd, Modal, Switch, Table } from '@mantine/core';
import { useSingleKeysSetting } from './use-single-keys';

type ShortcutsDialogProps = { opened: boolean; canEdit: boolean; onClose: () => void };

/** Shows the studio's keyboard shortcuts and the setting that turns off single-key shortcuts. */
export function ShortcutsDialog({ opened, canEdit, onClose }: ShortcutsDialogProps) {
  const [singleKeys, setSingleKeys] = useSingleKeysSetting();
  const forEditors: [string[], string][] = [
    [['N'], 'New image'],
    [['1', '…', '9'], 'Choose an image of the latest prompt'],
    [['R'], 'Refine'],
    [['S'], 'Star the chosen or the latest image'],
    [['Delete'], 'Delete the chosen image'],
    [['Enter'], 'Generate or refine, in the text field'],
    [['Shift', 'Enter'], 'New line, in the text field'],
  ];
  const shortcuts: [string[], string][] = [
    ...(canEdit ? forEditors : []),
    [['J'], 'Next image in the list'],
    [['K'], 'Previous image in the list'],
    [['D'], 'Download the chosen or the latest image'],
    [['←', '→'], 'Previous or next image in the large view'],
    [['+', '−', '0'], 'Zoom the large view'],
    [['Shift', '←', '↑', '→', '↓'], 'Pan the large view'],
    [['?'], 'Keyboard shortcuts'],
  ];
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Table verticalSpacing="xs">
        <Table.Tbody>
          {shortcuts.map(([keys, effect]) => (
            <Table.Tr key={effect}>
              <Table.Th scope="row" fw={400}>
                {effect}
              </Table.Th>
              <Table.Td ta="end" style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key) => (
                  <Kbd key={key} ms={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label="Use single keys"
        description="Turn this off if they interfere with speech input."
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Modal>
  );
}
