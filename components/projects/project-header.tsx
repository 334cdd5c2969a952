'use client';

import { Button, Text, Title } from '@mantine/core';
import { IconArchive, IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useCallback, useState } from 'react';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { onDemand } from '@/components/feedback/on-demand';
import { Link } from '@/components/shell/link';
import { readAgain } from '@/hooks/read-again';
import type { LiveState } from '@/hooks/use-realtime-topic';
import type { Project } from '@/lib/projects/schema';
import { HeaderButton } from './header-button';
import classes from './project-header.module.css';
import { ProjectMenu } from './project-menu';
import { ProjectNav, type ProjectPart } from './project-nav';
import { useProjectChanges } from './use-project-changes';

const MembersDialog = onDemand(() => import('./members-dialog').then((file) => file.MembersDialog), {
  opened: false,
});

type ProjectHeaderProps = {
  project: Project;
  userId: string;
  current: ProjectPart;
  live?: LiveState;
  /** Shown after the project's name. Says what is open in this part of the project, such as a document. */
  subtitle?: ReactNode;
  /** The status and tools of the page. */
  children?: ReactNode;
};

/** Shows the bar at the top of each page of a project, with a notice below it if the project is archived. */
export function ProjectHeader({ project, userId, current, live, subtitle, children }: ProjectHeaderProps) {
  const router = useRouter();
  const client = useQueryClient();
  const refresh = useCallback(() => {
    router.refresh();
    // Also refetch the list of projects. If the user undoes a deletion, this list is on the screen when `refresh` runs.
    return readAgain(client, ['projects']);
  }, [router, client]);
  const changes = useProjectChanges(refresh);
  const [members, setMembers] = useState(false);
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.place}>
          <span className={classes.root} data-has-place={subtitle !== undefined || undefined}>
            <Link href="/projects" className={classes.projects}>
              Projects
            </Link>
            <span aria-hidden="true">/</span>
          </span>
          <Title order={1} className={classes.name} title={project.name}>
            {project.name}
          </Title>
          {subtitle && (
            <>
              <span aria-hidden="true">/</span>
              {subtitle}
            </>
          )}
          {live && (
            <span className={classes.live}>
              <LiveIndicator live={live} quiet />
            </span>
          )}
        </div>
        <div className={classes.nav}>
          <ProjectNav projectId={project.id} current={current} />
        </div>
        <div className={classes.tools}>
          {children}
          <HeaderButton
            icon={<IconUsers size={16} stroke={1.6} aria-hidden="true" />}
            label="Members"
            onClick={() => setMembers(true)}
          />
          <ProjectMenu
            project={project}
            changes={changes}
            onRenamed={refresh}
            onDeleted={() => router.push('/projects')}
          />
        </div>
      </header>
      {project.archivedAt !== null && (
        <div className={classes.notice} role="note">
          <IconArchive size={18} stroke={1.6} aria-hidden="true" />
          <Text size="sm">This project is archived. It can be viewed but not changed.</Text>
          {project.role === 'owner' && (
            <Button size="xs" variant="default" onClick={() => void changes.unarchive(project)}>
              Unarchive
            </Button>
          )}
        </div>
      )}
      <MembersDialog project={project} userId={userId} opened={members} onClose={() => setMembers(false)} />
    </>
  );
}
