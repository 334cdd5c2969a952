'use client';

import { Modal, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import type { TrayMaterial } from '@/components/materials/tray-state';
import { readProjects } from '@/components/projects/project-calls';
import type { Project } from '@/lib/projects/schema';
import { AddToDocument } from './add-to-document-dialog';

const MAX_PAGES = 20;

/** Fetches the projects that the user may edit, from at most `MAX_PAGES` pages of the project list. */
async function readEditable(signal: AbortSignal): Promise<Project[]> {
  const all: Project[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES && (page === 0 || cursor); page += 1) {
    const read: Awaited<ReturnType<typeof readProjects>> = await readProjects('active', cursor, signal);
    all.push(...read.projects.filter(({ role }) => role !== 'viewer'));
    cursor = read.nextCursor;
  }
  return all;
}

type AddTrayDialogProps = { materials: readonly TrayMaterial[]; opened: boolean; onClose: () => void };

/** Dialog that adds the materials in the tray to a page of a project's document. */
export function AddTrayDialog({ opened, onClose, materials }: AddTrayDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Add materials to a document">
      <AddTray materials={materials} onClose={onClose} />
    </Modal>
  );
}

function AddTray({ materials, onClose }: Omit<AddTrayDialogProps, 'opened'>) {
  const projects = useQuery({
    queryKey: ['editable-projects'],
    queryFn: ({ signal }) => readEditable(signal),
  });
  const [chosen, setChosen] = useState<string | null>(null);
  const what = useMemo(
    () => ({
      title: 'Materials',
      text: '',
      images: [],
      materials: materials.map(({ id, name }) => ({ id, name })),
    }),
    [materials],
  );
  if (!projects.data) {
    return projects.error === null ? (
      <Skeleton h={96} role="status" aria-label="Loading" />
    ) : (
      <ErrorAlert
        title="The projects could not be loaded"
        error={projects.error}
        onRetry={() => void projects.refetch()}
      />
    );
  }
  const [first] = projects.data;
  if (!first) return <Text c="dimmed">You have no projects that you can edit.</Text>;
  const projectId = chosen ?? first.id;
  return (
    <Stack gap="md">
      <Select
        label="Project"
        allowDeselect={false}
        searchable={projects.data.length > 10}
        data={projects.data.map(({ id, name }) => ({ value: id, label: name }))}
        value={projectId}
        onChange={setChosen}
      />
      <AddToDocument key={projectId} projectId={projectId} what={what} onClose={onClose} />
    </Stack>
  );
}
