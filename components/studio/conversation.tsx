'use client';

import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconArrowLeft, IconColumns2 } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { Announcer } from '@/components/feedback/announcer';
import { MessagePage } from '@/components/feedback/message-page';
import { onDemand } from '@/components/feedback/on-demand';
import { useFocusSuccessor } from '@/components/gallery/use-focus-successor';
import { useImageChanges } from '@/components/gallery/use-image-changes';
import { focusOnMount } from '@/components/shell/focus-on-mount';
import { isUnderWay } from '@/hooks/image-gen/image-gen-state';
import { titleOfJob } from '@/hooks/image-gen/job-title';
import type { ImageJobs } from '@/hooks/use-image-jobs';
import composer from './composer.module.css';
import classes from './conversation.module.css';
import { handOver } from './hand-over';
import { ImageDetails } from './image-details';
import type { InputImage } from './job-draft';
import { JobFacts } from './job-facts';
import { materialsOf } from './prompt-materials';
import { RefineForm } from './refine-form';
import { type Region, region as regionSchema } from './region/region';
import { uploadMask } from './region/upload-mask';
import { RenameButton } from './rename-button';
import { RunCard } from './run-card';
import { expectedImages, latestVariant, runOf, runsOf, type ShownVariant, usualDuration } from './runs';
import studio from './studio.module.css';
import { SwapLink } from './swap/swap-link';
import { useJobActions } from './use-job-actions';
import { useSingleKeys } from './use-single-keys';
import type { VariantActions } from './variant-grid';

const Lightbox = onDemand(() => import('./lightbox').then((file) => file.Lightbox), { openKey: null });
const RegionDialog = onDemand(() => import('./region/region-dialog').then((file) => file.RegionDialog), {
  shown: null,
});
const CompareDialog = onDemand(() => import('./compare-dialog').then((file) => file.CompareDialog), {
  pair: null,
});
const SwapDialog = onDemand(() => import('./swap/swap-dialog').then((file) => file.SwapDialog), {
  source: null,
});
const AddToDocumentDialog = onDemand(
  () =>
    import('@/components/editor/handover/add-to-document-dialog').then((file) => file.AddToDocumentDialog),
  { what: null },
);

function readRegion(text: string | undefined): Region | null {
  try {
    return regionSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

function focusImage(key: string): void {
  document.querySelector<HTMLElement>(`[data-image="${CSS.escape(key)}"]`)?.focus();
}

type ConversationProps = {
  gen: ImageJobs;
  jobId: string;
  canEdit: boolean;
  /** Whether the job was opened on this page rather than through its URL. */
  takeFocus: boolean;
  onClose: () => void;
  onUseAsInput: (image: InputImage) => void;
  onOpenSwap: (swapId: string) => void;
};

/** Shows one image job: its prompts with their variants, and the form for the next prompt. */
export function Conversation({ gen, jobId, canEdit, takeFocus, onClose, ...rest }: ConversationProps) {
  const { onUseAsInput, onOpenSwap } = rest;
  // The URL can change before `gen` has selected the new job. Until then, the new job counts as not loaded.
  const job = gen.currentJob?.jobId === jobId ? gen.currentJob : null;
  const { messages, variants, jobs } = gen;
  const runs = useMemo(() => (job ? runsOf(job, messages, variants) : []), [job, messages, variants]);
  const all = useMemo(() => runs.flatMap((run) => run.variants), [runs]);
  const usual = useMemo(() => usualDuration(jobs), [jobs]);
  // Kept in session storage, like the text of the next prompt, so that the source and the region survive a reload.
  const [sourceKey, setSourceKey] = useSessionStorage<string | null>({
    key: `atelier:refine-source:${jobId}`,
    defaultValue: null,
  });
  const [region, setRegion] = useSessionStorage({
    key: `atelier:refine-region:${jobId}`,
    defaultValue: null,
    deserialize: readRegion,
  });
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [compareKey, setCompareKey] = useState<string | null>(null);
  const [pair, setPair] = useState<[ShownVariant, ShownVariant] | null>(null);
  const [paintKey, setPaintKey] = useState<string | null>(null);
  const [swapped, setSwapped] = useState<ShownVariant | null>(null);
  const [handedOver, setHandedOver] = useState<HandedOver | null>(null);
  const [readingEarlier, setReadingEarlier] = useState(false);
  const [announcement, setAnnouncement] = useState<string>();
  const { busy, cancel, retry, download, copy, copyImage, onStale } = useJobActions(gen, jobId);
  const { readImagesAgain } = gen;
  const changes = useImageChanges(
    gen.projectId,
    useCallback(() => readImagesAgain(jobId), [readImagesAgain, jobId]),
  );
  const expected = useMemo(() => (job ? expectedImages(job, runs) : { count: 0, aspect: 1 }), [job, runs]);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const last = useRef<HTMLLIElement>(null);

  const count = runs.length;
  const newest = runs.at(-1)?.ordinal ?? 0;
  useEffect(() => {
    if (newest > 1) last.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  const arrived = runs.at(-1)?.variants.length ?? 0;
  useEffect(() => {
    const top = last.current?.getBoundingClientRect().top ?? 0;
    // Do not scroll while the latest prompt is below the viewport, because the user is then reading earlier prompts.
    if (arrived > 0 && count > 1 && top < window.innerHeight)
      last.current?.scrollIntoView({ block: 'nearest' });
  }, [arrived, count]);

  const order = useMemo(() => all.map(({ key }) => key), [all]);
  const expectRemoval = useFocusSuccessor(order, focusImage);
  const actions = useMemo<VariantActions>(
    () => ({
      open: ({ key }) => setOpenKey(key),
      show: ({ key }) => {
        if (canEdit) setSourceKey(key);
        // Focusing the image also scrolls to it.
        focusImage(key);
      },
      compare: (shown) => {
        const first = all.find(({ key }) => key === compareKey);
        if (!first || first.key === shown.key) return setCompareKey(first ? null : shown.key);
        setPair([first, shown]);
        setCompareKey(null);
      },
      download,
      copy,
      copyImage,
      onStale,
      ...(canEdit &&
        job && {
          refine: ({ key }) => {
            setSourceKey(key);
            prompt.current?.focus();
          },
          editRegion: ({ key }) => setPaintKey(key),
          startFrom: ({ variant, label }) =>
            onUseAsInput({
              id: null,
              path: variant.path,
              url: variant.thumb_url ?? variant.url,
              name: `Image ${label} of “${titleOfJob(job).slice(0, 60)}”`,
            }),
          swapMaterials: setSwapped,
          addToPage: (shown) => setHandedOver(handOver(runOf(shown, runs)?.settings ?? job, shown)),
          ...([job, ...runs.map(({ settings }) => settings)].some((from) => materialsOf(from).length > 0) && {
            addWithSchedule: (shown) =>
              setHandedOver({
                ...handOver(runOf(shown, runs)?.settings ?? job, shown),
                materialsAs: 'schedule',
              }),
          }),
          star: async ({ variant, label }) => {
            const starred = variant.starred_at === null;
            if (!(await changes.star({ ids: [variant.id], name: `Image ${label}` }, starred))) return;
            setAnnouncement(starred ? `Image ${label} starred.` : `Image ${label} no longer starred.`);
          },
          remove: ({ key, variant, label }) => {
            expectRemoval([key]);
            void changes.remove({ ids: [variant.id], name: `Image ${label}` });
          },
        }),
    }),
    [
      all,
      runs,
      compareKey,
      job,
      canEdit,
      onUseAsInput,
      download,
      copy,
      copyImage,
      onStale,
      changes,
      expectRemoval,
      setSourceKey,
    ],
  );
  const chosen = all.find(({ key }) => key === sourceKey) ?? null;
  const compared = all.find(({ key }) => key === compareKey);
  const latest = runs.findLast((run) => run.variants.length > 0)?.variants;
  const choose = (index: number) => {
    const shown = latest?.[index];
    if (shown) setSourceKey(shown.key);
  };
  const current = chosen ?? latestVariant(runs);
  const currentRegion = region !== null && region.imageKey === current?.key ? region : null;
  useSingleKeys({
    ...(canEdit && {
      ...Object.fromEntries(
        Array.from({ length: 9 }, (_, index) => [String(index + 1), () => choose(index)]),
      ),
      r: () => prompt.current?.focus(),
      s: current ? () => actions.star?.(current) : undefined,
      delete: chosen ? () => actions.remove?.(chosen) : undefined,
    }),
    d: current ? () => download(current) : undefined,
  });

  const back = (
    <Anchor component="button" type="button" size="sm" className={studio.back} onClick={onClose}>
      <IconArrowLeft size={14} aria-hidden="true" style={{ verticalAlign: '-2px' }} /> All images
    </Anchor>
  );
  if (gen.isMissing) {
    return (
      <MessagePage title="Image not found" text="The link may be wrong, or the image was deleted.">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </MessagePage>
    );
  }
  // Every job has a prompt. If there are no runs, the prompts have not been loaded yet, so the image to refine is
  // unknown.
  if (!job || runs.length === 0) {
    const isComing = gen.error === null;
    return (
      <Stack gap="md" aria-busy={isComing}>
        {back}
        {isComing && (
          <>
            <Skeleton h={28} w="60%" role="status" aria-label="Loading" />
            <Skeleton h={320} />
          </>
        )}
      </Stack>
    );
  }

  const showEarlier = async () => {
    setReadingEarlier(true);
    await gen.fetchEarlierMessages();
    setReadingEarlier(false);
  };
  return (
    <div className={classes.conversation}>
      {back}
      <div className={composer.canvas}>
        {/* Receives the focus when the job is opened on this page, so that Tab leads to the form. */}
        <VisuallyHidden component="h2" ref={takeFocus ? focusOnMount : undefined} tabIndex={-1}>
          {titleOfJob(job)}
        </VisuallyHidden>
        {/* Before the prompts in the tab order, but displayed below them through CSS `order`. */}
        {canEdit && (
          <RefineForm
            jobId={jobId}
            source={current}
            hasEarlier={gen.hasEarlierMessages}
            chosen={chosen !== null}
            onClearSource={() => {
              setSourceKey(null);
              prompt.current?.focus();
            }}
            jobSettings={job}
            sourceSettings={(current && runOf(current, runs)?.settings) ?? job}
            hasRegion={currentRegion !== null}
            onEditRegion={() => current && setPaintKey(current.key)}
            onClearRegion={() => {
              setRegion(null);
              prompt.current?.focus();
            }}
            underWay={isUnderWay(job.status)}
            inputRef={prompt}
            onSend={async (text, own) => {
              const maskImageId = currentRegion ? await uploadMask(gen.projectId, currentRegion) : undefined;
              const source = maskImageId ? current : chosen;
              await gen.sendMessage(jobId, text, source?.variant.variant_id, { ...own, maskImageId });
              setSourceKey(null);
              // Another region may have been painted in the meantime.
              setRegion((now) => (now === currentRegion ? null : now));
            }}
            onStale={onStale}
          />
        )}
        {gen.hasEarlierMessages && (
          <Button variant="default" size="xs" loading={readingEarlier} onClick={() => void showEarlier()}>
            Show earlier prompts
          </Button>
        )}
        <ol className={classes.runs} aria-label="Prompts">
          {runs.map((run, index) => (
            <li key={run.messageId} ref={index === count - 1 ? last : undefined}>
              <RunCard
                run={run}
                job={job}
                usual={usual}
                actions={actions}
                sourceKey={sourceKey}
                compareKey={compareKey}
                expected={expected}
                onCancel={canEdit ? cancel : undefined}
                onRetry={canEdit ? retry : undefined}
                busy={busy}
              />
            </li>
          ))}
        </ol>
        {compared && (
          <Alert variant="outline" color="aubergine" icon={<IconColumns2 size={20} />} role="status">
            <Group justify="space-between" gap="sm">
              <Text size="sm">Choose another image to compare with image {compared.label}.</Text>
              <Button size="xs" variant="default" onClick={() => setCompareKey(null)}>
                Cancel
              </Button>
            </Group>
          </Alert>
        )}
      </div>
      {/* After the form in the tab order, but displayed beside or above the images. */}
      <section className={classes.details} aria-label="Details">
        <div className={classes.title}>
          <p className={classes.heading}>{titleOfJob(job)}</p>
          {canEdit && <RenameButton job={job} onRenamed={() => void gen.readImagesAgain(jobId)} />}
        </div>
        {current ? (
          <ImageDetails job={job} shown={current} runs={runs} actions={actions} />
        ) : (
          <JobFacts job={job} />
        )}
        {job.swapId && <SwapLink job={job} swapId={job.swapId} onOpen={onOpenSwap} />}
      </section>
      <span hidden className={classes.end} />
      <Lightbox
        projectId={job.projectId}
        variants={all}
        openKey={openKey}
        onOpen={setOpenKey}
        onClose={() => setOpenKey(null)}
        actions={actions}
      />
      <RegionDialog
        shown={all.find(({ key }) => key === paintKey) ?? null}
        region={region !== null && region.imageKey === paintKey ? region : null}
        onClose={() => setPaintKey(null)}
        onUse={(painted) => {
          setRegion(painted);
          setSourceKey(painted.imageKey);
          setPaintKey(null);
        }}
        onClosed={() => prompt.current?.focus()}
        onStale={onStale}
      />
      <Announcer text={announcement} />
      <CompareDialog pair={pair} onClose={() => setPair(null)} onStale={onStale} />
      <SwapDialog
        projectId={job.projectId}
        source={swapped}
        onClose={() => setSwapped(null)}
        createSwap={gen.createSwap}
        onStarted={onOpenSwap}
        onStale={onStale}
      />
      <AddToDocumentDialog projectId={job.projectId} what={handedOver} onClose={() => setHandedOver(null)} />
    </div>
  );
}
