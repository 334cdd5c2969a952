'use client';

import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconArrowLeft, IconEye, IconUsers } from '@tabler/icons-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { MembersDialog } from '@/components/projects/members-dialog';
import { ProjectNav } from '@/components/projects/project-nav';
import { PageHeading } from '@/components/shell/page-heading';
import type { ImageGenStart } from '@/hooks/image-gen/image-gen-state';
import { useImageGen } from '@/hooks/use-image-gen';
import type { Project } from '@/lib/projects/schema';
import { Conversation } from './conversation';
import { emptyJobDraft, type InputImage, jobDraft } from './job-draft';
import { JobList } from './job-list';
import { NewJobForm } from './new-job-form';
import classes from './studio.module.css';
import { parseStudioUrl, type StudioUrl, studioHref } from './studio-url';

function readDraft(text: string | undefined) {
  try {
    return jobDraft.parse(JSON.parse(text ?? ''));
  } catch {
    return emptyJobDraft;
  }
}

type StudioProps = { project: Project; userId: string; start: ImageGenStart };

/** The studio page of a project: the list of image jobs, the open conversation and the form for a new image. */
export function Studio({ project, userId, start }: StudioProps) {
  const gen = useImageGen(project.id, start);
  const params = useSearchParams();
  const url = useMemo(() => parseStudioUrl(new URLSearchParams(params.toString())), [params]);
  const [members, setMembers] = useState(false);
  const [moved, setMoved] = useState(false);
  // In session storage, so that the input survives a reload.
  const [draft, setDraft] = useSessionStorage({
    key: `atelier:new-image:${project.id}`,
    defaultValue: emptyJobDraft,
    deserialize: readDraft,
  });
  const { selectJob, filterJobs, connection, error } = gen;
  const canEdit = project.role !== 'viewer';

  useEffect(() => selectJob(url.job), [url.job, selectJob]);
  useEffect(() => filterJobs(url.status), [url.status, filterJobs]);

  const go = (next: StudioUrl) => {
    setMoved(true);
    window.history.pushState(null, '', studioHref(project.id, next));
  };
  const startFrom = (input: InputImage) => {
    setDraft({ ...draft, input });
    go({ ...url, job: null });
  };

  return (
    <Stack gap="lg">
      <div>
        <Anchor component={Link} href="/projects" size="sm" c="dimmed">
          <IconArrowLeft size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> All projects
        </Anchor>
        <PageHeading title={project.name} description={<LiveIndicator live={connection} />}>
          <ProjectNav projectId={project.id} current="studio" />
          <Button
            variant="default"
            leftSection={<IconUsers size={16} stroke={1.6} />}
            onClick={() => setMembers(true)}
          >
            Members
          </Button>
        </PageHeading>
      </div>
      {connection === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && (
          <ErrorAlert title="The images could not be loaded" error={error} onRetry={gen.renewUrls} />
        )
      )}
      {!canEdit && (
        <Alert variant="outline" color="aubergine" icon={<IconEye size={20} />} title="View only">
          <Text size="sm">Ask an owner for edit access to create images.</Text>
        </Alert>
      )}
      <div className={classes.studio}>
        <aside className={classes.jobs} data-behind={url.job !== null} aria-label="Project images">
          <JobList gen={gen} projectId={project.id} url={url} canEdit={canEdit} onGo={go} />
        </aside>
        <div className={classes.main}>
          {url.job ? (
            <Conversation
              key={url.job}
              gen={gen}
              jobId={url.job}
              canEdit={canEdit}
              takeFocus={moved}
              onClose={() => go({ ...url, job: null })}
              onUseAsInput={startFrom}
            />
          ) : canEdit ? (
            <NewJobForm
              projectId={project.id}
              draft={draft}
              onChange={setDraft}
              createJob={gen.createJob}
              onCreated={(jobId) => {
                setDraft(emptyJobDraft);
                go({ ...url, job: jobId });
              }}
            />
          ) : (
            <Text c="dimmed">Select an image to view it.</Text>
          )}
        </div>
      </div>
      <Announcer text={gen.announcement?.text} />
      <MembersDialog project={project} userId={userId} opened={members} onClose={() => setMembers(false)} />
    </Stack>
  );
}
