'use client';

import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTableImport } from '@tabler/icons-react';
import { useState } from 'react';
import { decodeCsv } from '@/components/csv/read-csv';
import { UserFacingError } from '@/components/feedback/describe-error';
import { showError } from '@/components/feedback/show-error';
import { FilePicker } from '@/components/files/file-picker';
import { countOf } from '@/components/format/count';
import { importNames, type NameKind } from './catalogue-calls';
import { nameKey } from './matching-names';
import { type NamesInCsv, namesInCsv } from './names-in-csv';

const MAX_CSV_BYTES = 1_000_000;

type ImportNamesButtonProps = { kind: NameKind; known: string[]; onDone: () => void };

/** Imports brands or areas from a CSV file, after showing how many are new and the first five skipped lines. */
export function ImportNamesButton({ kind, known, onDone }: ImportNamesButtonProps) {
  const [found, setFound] = useState<NamesInCsv | null>(null);
  const [busy, setBusy] = useState(false);

  const read = async (file: File) => {
    if (file.size > MAX_CSV_BYTES) {
      notifications.show({ title: `${file.name} is too large`, message: 'The limit is 1 MB.', color: 'red' });
      return;
    }
    try {
      setFound(await namesInCsv(decodeCsv(await file.arrayBuffer())));
    } catch {
      // Reading fails, for example, if the file was moved or changed after it was chosen.
      showError(`${file.name} could not be read`, new UserFacingError('Choose it again.'));
    }
  };
  const add = async (names: string[]) => {
    setBusy(true);
    try {
      const { added, existing } = await importNames(kind, names);
      const rest = existing > 0 ? ` ${existing.toLocaleString('en')} already existed.` : '';
      notifications.show({ message: `${countOf(added, kind)} added.${rest}` });
      setFound(null);
      onDone();
    } catch (error) {
      showError('Nothing was imported', error);
    } finally {
      setBusy(false);
    }
  };

  const existing = new Set(known.map(nameKey));
  const names = found?.names ?? [];
  const added = new Set(names.map(nameKey).filter((name) => !existing.has(name))).size;
  return (
    <>
      <FilePicker accept=".csv,.txt,text/csv,text/plain" onFiles={([file]) => file && void read(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="compact-sm"
            leftSection={<IconTableImport size={16} />}
            aria-label={`Import CSV of ${kind === 'brand' ? 'brands' : 'areas'}`}
          >
            Import CSV
          </Button>
        )}
      </FilePicker>
      <Modal
        opened={found !== null}
        onClose={() => setFound(null)}
        title={`Import ${kind === 'brand' ? 'brands' : 'areas'}`}
      >
        <Stack gap="sm">
          <Text>
            {added === 0
              ? 'This file has no new names.'
              : `${countOf(added, `new ${kind}`)} will be added. Names that already exist stay as they are.`}
          </Text>
          {found?.skipped.slice(0, 5).map(({ line, reason }) => (
            <Text key={line} size="sm" c="red">
              Line {line} is skipped: the name {reason}.
            </Text>
          ))}
          {found && found.skipped.length > 5 && (
            <Text size="sm" c="red">
              {countOf(found.skipped.length - 5, 'more line')} skipped.
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setFound(null)}>
              Cancel
            </Button>
            <Button disabled={added === 0} loading={busy} data-autofocus onClick={() => void add(names)}>
              Import
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
