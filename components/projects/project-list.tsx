'use client';

import { Button, SegmentedControl, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useCallback, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { onDemand } from '@/components/feedback/on-demand';
import { ShowMore } from '@/components/feedback/show-more';
import { PageHeading } from '@/components/shell/page-heading';
import { readAgain } from '@/hooks/read-again';
import { useKeptFocus } from '@/hooks/use-kept-focus';
import { usePages } from '@/hooks/use-pages';
import { useRenewal } from '@/hooks/use-renewal';
import type { ProjectState } from '@/lib/projects/schema';
import { type ProjectCardsPage, readProjects } from './project-calls';
import { ProjectCard } from './project-card';
import classes from './project-list.module.css';
import { parseProjectState, projectsHref } from './project-url';
import { useProjectChanges } from './use-project-changes';

const CreateProjectDialog = onDemand(
  () => import('./create-project-dialog').then((file) => file.CreateProjectDialog),
  { opened: false },
);

const ghosts = Array.from({ length: 6 }, (_, index) => index);
const pageOf = ({ projects, nextCursor }: ProjectCardsPage) => ({ items: projects, nextCursor });

const states: { value: ProjectState; label: string }[] = [
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
  { value: 'deleted', label: 'Deleted' },
];
const nothing: Record<ProjectState, { title: string; text: string }> = {
  active: {
    title: 'No projects yet',
    text: 'Create your first project, or ask the owner of a project to add you.',
  },
  archived: { title: 'No archived projects', text: 'An archived project can be viewed but not changed.' },
  deleted: {
    title: 'No deleted projects',
    text: 'Projects that you own can be restored for 30 days after they were deleted.',
  },
};

/** Shows the user's active, archived or deleted projects as cards. */
export function ProjectList({ initial }: { initial: ProjectCardsPage }) {
  const state = parseProjectState(useSearchParams().get('state'));
  const client = useQueryClient();
  const list = usePages({
    queryKey: ['projects', state],
    read: async (cursor, signal) => pageOf(await readProjects(state, cursor, signal)),
    initial: pageOf(initial),
  });
  const refresh = useCallback(() => readAgain(client, ['projects']), [client]);
  const changes = useProjectChanges(refresh);
  const [creating, setCreating] = useState(false);
  const keptFocus = useKeptFocus<HTMLDivElement>();
  const onStale = useRenewal(refresh);

  const create = () => setCreating(true);
  return (
    <>
      <PageHeading title="Projects">
        <SegmentedControl
          aria-label="Which projects"
          value={state}
          onChange={(value) => window.history.pushState(null, '', projectsHref(parseProjectState(value)))}
          data={states}
        />
      </PageHeading>
      {list.error !== null && (
        <ErrorAlert
          title="The projects could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      <section className={classes.section} aria-label="Projects" tabIndex={-1} {...keptFocus}>
        {list.items === null ? (
          list.error === null && (
            <div className={classes.list} role="status" aria-label="Loading">
              {ghosts.map((ghost) => (
                <Skeleton key={ghost} radius="lg" className={classes.ghost} />
              ))}
            </div>
          )
        ) : list.items.length === 0 ? (
          <Stack align="center" gap="xs" py="4rem" ta="center">
            <Title order={2}>{nothing[state].title}</Title>
            <Text c="dimmed" maw="28rem" mb="sm">
              {nothing[state].text}
            </Text>
            {state === 'active' && (
              <Button leftSection={<IconPlus size={16} />} onClick={create}>
                New project
              </Button>
            )}
          </Stack>
        ) : (
          <ul className={classes.list} aria-label="Projects">
            {state === 'active' && (
              <li>
                <UnstyledButton className={classes.create} onClick={create}>
                  <IconPlus size={28} stroke={1.4} aria-hidden="true" />
                  New project
                </UnstyledButton>
              </li>
            )}
            {list.items.map((project) => (
              <ProjectCard
                key={project.id}
                project={project}
                changes={changes}
                onChanged={refresh}
                onStale={onStale}
              />
            ))}
          </ul>
        )}
        <ShowMore list={list} mt="lg" />
      </section>
      <CreateProjectDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}
