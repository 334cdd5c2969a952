'use client';

import { ActionIcon, Alert, Anchor, Button, Text, Title } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconArrowLeft, IconEye, IconKeyboard, IconUsers } from '@tabler/icons-react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { LiveIndicator } from '@/components/feedback/live-indicator';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { PageDropHint } from '@/components/files/page-drop-hint';
import { usePageDrop } from '@/components/files/use-page-drop';
import { MembersDialog } from '@/components/projects/members-dialog';
import { ProjectNav } from '@/components/projects/project-nav';
import { Link } from '@/components/shell/link';
import type { ImageGenStart } from '@/hooks/image-gen/image-gen-state';
import { useImageGen } from '@/hooks/use-image-gen';
import type { Project } from '@/lib/projects/schema';
import { Conversation } from './conversation';
import { emptyJobDraft, type InputImage, jobDraft } from './job-draft';
import { JobList } from './job-list';
import { isOpenRow, rowsOf, targetOf } from './job-rows';
import { NewJobForm } from './new-job-form';
import { ShortcutsDialog } from './shortcuts-dialog';
import classes from './studio.module.css';
import { parseStudioUrl, type StudioUrl, studioHref } from './studio-url';
import { SwapView } from './swap/swap-view';
import { useInputImageUpload } from './use-input-image-upload';
import { useSingleKeys } from './use-single-keys';

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
  const [shortcuts, setShortcuts] = useState(false);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const [moved, setMoved] = useState(false);
  const [startsNew, setStartsNew] = useState(false);
  // Kept in session storage so that the input survives a reload.
  const [draft, setDraft] = useSessionStorage({
    key: `atelier:new-image:${project.id}`,
    defaultValue: emptyJobDraft,
    deserialize: readDraft,
  });
  const { selectJob, filterJobs, connection, error } = gen;
  const canEdit = project.role !== 'viewer';

  useEffect(() => selectJob(url.job), [url.job, selectJob]);
  useEffect(() => filterJobs(url.status), [url.status, filterJobs]);

  const isOpen = (url.job ?? url.swap) !== null;
  const closed = { ...url, job: null, swap: null };
  const go = (next: StudioUrl) => {
    if (next.job !== url.job || next.swap !== url.swap) setMoved(true);
    setStartsNew(false);
    window.history.pushState(null, '', studioHref(project.id, next));
  };
  const upload = useInputImageUpload(project.id, (input) => setDraft((known) => ({ ...known, input })));
  const startFrom = (input: InputImage) => {
    // An upload that finishes later would replace this image.
    upload.cancel();
    setDraft({ ...draft, input });
    go(closed);
  };
  const isDropping = usePageDrop(
    canEdit
      ? ([file]) => {
          if (!file) return;
          upload.send(file);
          if (isOpen) go(closed);
        }
      : undefined,
  );
  const startNew = () => {
    if (isOpen) go(closed);
    else prompt.current?.focus();
    setStartsNew(true);
  };
  const openBeside = (by: number) => {
    const rows = rowsOf(gen.jobs);
    const next = rows[rows.findIndex((row) => isOpenRow(row, url)) + by];
    if (next) go({ ...url, ...targetOf(next) });
  };
  useSingleKeys({
    n: canEdit ? startNew : undefined,
    j: () => openBeside(1),
    k: () => openBeside(-1),
    '?': () => setShortcuts(true),
  });

  return (
    <div className={classes.page} data-wide="">
      <header className={classes.header}>
        <Anchor component={Link} href="/projects" size="sm" c="dimmed" className={classes.all}>
          <IconArrowLeft size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> All projects
        </Anchor>
        <Title order={1} className={classes.name}>
          {project.name}
        </Title>
        <LiveIndicator live={connection} />
        <div className={classes.tools}>
          <ProjectNav projectId={project.id} current="studio" />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconUsers size={16} stroke={1.6} />}
            onClick={() => setMembers(true)}
          >
            Members
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={classes.keys}
            aria-label="Keyboard shortcuts"
            onClick={() => setShortcuts(true)}
          >
            <IconKeyboard size={20} stroke={1.6} />
          </ActionIcon>
        </div>
      </header>
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
        <div className={classes.main}>
          {url.job ? (
            <Conversation
              key={url.job}
              gen={gen}
              jobId={url.job}
              canEdit={canEdit}
              takeFocus={moved}
              onClose={() => go(closed)}
              onUseAsInput={startFrom}
              onOpenSwap={(swap) => go({ ...url, job: null, swap })}
            />
          ) : url.swap ? (
            <SwapView
              key={url.swap}
              gen={gen}
              swapId={url.swap}
              canEdit={canEdit}
              takeFocus={moved}
              onClose={() => go(closed)}
              onOpenJob={(job) => go({ ...url, job, swap: null })}
            />
          ) : canEdit ? (
            <div className={classes.form}>
              <NewJobForm
                projectId={project.id}
                userId={userId}
                draft={draft}
                onChange={setDraft}
                upload={upload}
                inputRef={prompt}
                takeFocus={startsNew}
                createJob={gen.createJob}
                onCreated={(jobId) => {
                  setDraft(emptyJobDraft);
                  go({ ...url, job: jobId, swap: null });
                }}
              />
            </div>
          ) : (
            <Text c="dimmed">Select an image to view it.</Text>
          )}
        </div>
        {/* Placed after the main part so that the text field there comes first in the tab order. */}
        <aside className={classes.jobs} data-behind={isOpen} aria-label="Project images">
          <JobList gen={gen} projectId={project.id} url={url} canEdit={canEdit} onGo={go} onNew={startNew} />
        </aside>
      </div>
      <PageDropHint isShown={isDropping}>Drop an image to start a new one from it</PageDropHint>
      <Announcer text={gen.announcement?.text} />
      <ShortcutsDialog opened={shortcuts} canEdit={canEdit} onClose={() => setShortcuts(false)} />
      <MembersDialog project={project} userId={userId} opened={members} onClose={() => setMembers(false)} />
    </div>
  );
}
