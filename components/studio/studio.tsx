'use client';

import { ActionIcon } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { onDemand, useEarlyLoad } from '@/components/feedback/on-demand';
import { PageDropHint } from '@/components/files/page-drop-hint';
import { usePageDrop } from '@/components/files/use-page-drop';
import { ProjectHeader } from '@/components/projects/project-header';
import { canEditProject, lacksEditAccess } from '@/components/projects/project-rights';
import { ViewOnlyLine } from '@/components/projects/view-only-line';
import type { ImageGenStart } from '@/hooks/image-gen/image-gen-state';
import { useImageJobs } from '@/hooks/use-image-jobs';
import type { Project } from '@/lib/projects/schema';
import composer from './composer.module.css';
import { emptyJobDraft, type InputImage, jobDraft } from './job-draft';
import { JobList } from './job-list';
import { isOpenRow, rowsOf, targetOf } from './job-rows';
import { LatestImages } from './latest-images';
import { NewJobForm } from './new-job-form';
import classes from './studio.module.css';
import { parseStudioUrl, type StudioUrl, studioHref } from './studio-url';
import { useInputImageUpload } from './use-input-image-upload';
import { useSingleKeys } from './use-single-keys';

const ShortcutsDialog = onDemand(() => import('./shortcuts-dialog').then((file) => file.ShortcutsDialog), {
  opened: false,
});
const loadConversation = () => import('./conversation').then((file) => file.Conversation);
const Conversation = dynamic(loadConversation);
const SwapView = dynamic(() => import('./swap/swap-view').then((file) => file.SwapView));

function readDraft(text: string | undefined) {
  try {
    return jobDraft.parse(JSON.parse(text ?? ''));
  } catch {
    return emptyJobDraft;
  }
}

type StudioProps = { project: Project; userId: string; start: ImageGenStart };

/**
 * Shows a project's studio page: the list of image jobs and the open conversation or material swap. While neither is
 * open, shows the latest images and, for editors, the form for a new image.
 */
export function Studio({ project, userId, start }: StudioProps) {
  const gen = useImageJobs(project.id, start);
  const params = useSearchParams();
  const url = useMemo(() => parseStudioUrl(new URLSearchParams(params.toString())), [params]);
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
  const canEdit = canEditProject(project);

  // Preload the code of a conversation, so that opening a job does not wait for it.
  useEarlyLoad(loadConversation);
  useEffect(() => selectJob(url.job), [url.job, selectJob]);
  useEffect(() => filterJobs(url.status), [url.status, filterJobs]);

  const isOpen = (url.job ?? url.swap) !== null;
  const closed = { ...url, job: null, swap: null };
  const go = (next: StudioUrl) => {
    if (next.job !== url.job || next.swap !== url.swap) setMoved(true);
    setStartsNew(false);
    window.history.pushState(null, '', studioHref(project.id, next));
  };
  const upload = useInputImageUpload(project.id, (input) => setDraft((current) => ({ ...current, input })));
  const startFrom = (input: InputImage) => {
    // Cancel any upload in progress. Otherwise, the uploaded image would replace this one when the upload finishes.
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
  const openAdjacent = (by: number) => {
    const rows = rowsOf(gen.jobs);
    const next = rows[rows.findIndex((row) => isOpenRow(row, url)) + by];
    if (next) go({ ...url, ...targetOf(next) });
  };
  useSingleKeys({
    n: canEdit ? startNew : undefined,
    j: () => openAdjacent(1),
    k: () => openAdjacent(-1),
    '?': () => setShortcuts(true),
  });

  return (
    <div className={classes.page} data-wide="">
      <ProjectHeader project={project} userId={userId} current="studio" live={connection}>
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
      </ProjectHeader>
      {connection === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && (
          <ErrorAlert title="The images could not be loaded" error={error} onRetry={gen.renewUrls} />
        )
      )}
      {lacksEditAccess(project) && <ViewOnlyLine />}
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
          ) : (
            <div className={composer.canvas}>
              {/* First in the tab order, but displayed at the end through CSS `order`. */}
              {canEdit && (
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
              )}
              <LatestImages gen={gen} projectId={project.id} url={url} canEdit={canEdit} onGo={go} />
            </div>
          )}
        </div>
        {/* Placed after the main part so that the text field there comes first in the tab order. */}
        <aside className={classes.jobs} data-behind={isOpen} aria-label="Project images">
          <JobList gen={gen} projectId={project.id} url={url} canEdit={canEdit} onGo={go} onNew={startNew} />
        </aside>
      </div>
      <PageDropHint isShown={isDropping}>Drop to start a new image from it</PageDropHint>
      <Announcer text={gen.announcement?.text} />
      <ShortcutsDialog opened={shortcuts} canEdit={canEdit} onClose={() => setShortcuts(false)} />
    </div>
  );
}
