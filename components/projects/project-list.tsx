'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { RelativeTime } from '@/components/format/relative-time';
import { Link } from '@/components/shell/link';
import { PageHeading } from '@/components/shell/page-heading';
import { usePages } from '@/hooks/use-pages';
import { CreateProjectDialog } from './create-project-dialog';
import { type ProjectsPage, readProjects } from './project-calls';
import { projectHref } from './project-href';
import classes from './project-list.module.css';

const pageOf = ({ projects, nextCursor }: ProjectsPage) => ({ items: projects, nextCursor });
const roles = { viewer: 'Viewer', editor: 'Editor', owner: 'Owner' } as const;

/** Lists the projects that the user can see, with a button that creates a project. */
export function ProjectList({ initial }: { initial: ProjectsPage }) {
  const list = usePages({
    queryKey: ['projects'],
    read: async (cursor, signal) => pageOf(await readProjects(cursor, signal)),
    initial: pageOf(initial),
  });
  const projects = list.items ?? [];
  const [creating, setCreating] = useState(false);

  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <>
      <PageHeading title="Projects" description="Create and refine images together.">
        {projects.length > 0 && create}
      </PageHeading>
      {projects.length === 0 ? (
        <Stack align="center" gap="xs" py="4rem" ta="center">
          <Title order={2}>No projects yet</Title>
          <Text c="dimmed" maw="28rem" mb="sm">
            Create your first project, or ask the owner of a project to add you.
          </Text>
          {create}
        </Stack>
      ) : (
        <ul className={classes.list} aria-label="Projects">
          {projects.map(({ id, name, role, createdAt }) => (
            <li key={id} className={classes.card}>
              <Title order={2} size="h3">
                <Link href={projectHref({ id, role })} className={classes.link}>
                  {name}
                </Link>
              </Title>
              <Text size="sm" c="dimmed" mt="xs" className={classes.facts}>
                {roles[role]} · created <RelativeTime iso={createdAt} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {list.error !== null && <ErrorAlert title="More projects could not be loaded" error={list.error} />}
      {list.hasMore && (
        <Group justify="center" mt="lg">
          <Button variant="default" loading={list.loading} onClick={() => void list.loadMore()}>
            Show more
          </Button>
        </Group>
      )}
      <CreateProjectDialog opened={creating} onClose={() => setCreating(false)} />
    </>
  );
}
