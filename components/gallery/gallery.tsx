'use client';

import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconShare } from '@tabler/icons-react';
import { useSearchParams } from 'next/navigation';
import { type ReactNode, useMemo, useState } from 'react';
import type { HandedOver } from '@/components/editor/handover/add-to-document-dialog';
import { Announcer } from '@/components/feedback/announcer';
import { UserFacingError } from '@/components/feedback/describe-error';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { onDemand, useEarlyLoad } from '@/components/feedback/on-demand';
import { showError } from '@/components/feedback/show-error';
import { ShowMore } from '@/components/feedback/show-more';
import { HeaderButton } from '@/components/projects/header-button';
import { ProjectHeader } from '@/components/projects/project-header';
import { canEditProject, canShareProject, lacksEditAccess } from '@/components/projects/project-rights';
import { ViewOnlyLine } from '@/components/projects/view-only-line';
import { Link } from '@/components/shell/link';
import type { ShownVariant } from '@/components/studio/runs';
import { studioHref } from '@/components/studio/studio-url';
import { copyPrompt, copyVariant, downloadVariant } from '@/components/studio/use-job-actions';
import { noSelection, selectedIn } from '@/hooks/selection';
import { MAX_TEMPLATE_IMAGES } from '@/lib/document/templates/template';
import { type GalleryImage, MAX_CHOSEN } from '@/lib/image-gen/schema';
import type { Project } from '@/lib/projects/schema';
import { downloadImages } from './download-images';
import classes from './gallery.module.css';
import type { ImagesPage } from './gallery-calls';
import { GalleryFilterBar } from './gallery-filter-bar';
import { GalleryGrid } from './gallery-grid';
import grid from './gallery-grid.module.css';
import type { GalleryActions } from './gallery-tile';
import { galleryFiltersQuery, galleryHref, isGalleryFiltered, parseGalleryUrl } from './gallery-url';
import { ImageSelectionBar } from './selection-bar';
import { imageLabelOf, shownImage } from './shown-image';
import { useFocusSuccessor } from './use-focus-successor';
import { useGallery } from './use-gallery';
import { type ChosenImages, type ImageChanges, imagesNamed, useImageChanges } from './use-image-changes';

const ghosts = Array.from({ length: 12 }, (_, index) => index);

const loadHandOver = () => import('./hand-over-images');
const AddToDocumentDialog = onDemand(
  () =>
    import('@/components/editor/handover/add-to-document-dialog').then((file) => file.AddToDocumentDialog),
  { what: null },
);
const Lightbox = onDemand(() => import('@/components/studio/lightbox').then((file) => file.Lightbox), {
  openKey: null,
});
const ShareDialog = onDemand(
  () => import('@/components/share-links/share-dialog').then((file) => file.ShareDialog),
  { opened: false },
);

/** Shows the gallery page of a project: its images, or the recently deleted ones, with filters. */
export function Gallery({
  project,
  userId,
  initial,
}: {
  project: Project;
  userId: string;
  initial: ImagesPage;
}) {
  const params = useSearchParams();
  const filters = useMemo(() => parseGalleryUrl(new URLSearchParams(params.toString())), [params]);
  const filtersKey = galleryFiltersQuery(filters);
  const list = useGallery(project.id, filters, initial);
  const { items, live, error, refresh, onStale } = list;
  const changes = useImageChanges(project.id, refresh);
  const [openId, setOpenId] = useState<string | null>(null);
  const [selected, setSelection] = useState(noSelection);
  const [announcement, setAnnouncement] = useState<string>();
  const [sharing, setSharing] = useState(false);
  const [handedOver, setHandedOver] = useState<HandedOver | null>(null);
  const canEdit = canEditProject(project);
  const canShare = canShareProject(project);

  const images = items ?? noImages;
  const shown = useMemo(() => images.map(shownImage), [images]);
  const order = useMemo(() => images.map(({ variant }) => variant.id), [images]);
  const selection = useMemo(() => selectedIn(selected, order), [selected, order]);
  const isChosen = ({ variant }: GalleryImage) => selection.ids.has(variant.id);
  const chosen = images.filter(isChosen).map(({ variant }) => variant.id);
  const only = images.find(isChosen);
  useEarlyLoad(loadHandOver);
  const handOver = async (make: (code: Awaited<ReturnType<typeof loadHandOver>>) => Promise<HandedOver>) => {
    try {
      const code = await loadHandOver().catch((cause: unknown) => {
        throw new UserFacingError('Check your connection and try again.', { cause });
      });
      setHandedOver(await make(code));
    } catch (error) {
      showError('The images could not be prepared for a document', error);
    }
  };
  const [shownKey, setShownKey] = useState(filtersKey);
  if (shownKey !== filtersKey) {
    setShownKey(filtersKey);
    setSelection(noSelection);
  }

  const expectRemoval = useFocusSuccessor(order, (id) =>
    document.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)?.focus(),
  );
  const vanish = async (removed: ChosenImages, act: ImageChanges['remove']) => {
    expectRemoval(removed.ids);
    if (await act(removed)) setSelection(noSelection);
  };

  const named = (image: GalleryImage): ChosenImages => ({
    ids: [image.variant.id],
    name: `Image ${imageLabelOf(image)}`,
  });
  const imageOf = ({ key }: ShownVariant) => images.find(({ variant }) => variant.id === key);
  const star = async (image: GalleryImage) => {
    const starred = image.variant.starred_at === null;
    if (filters.starred) expectRemoval([image.variant.id]);
    if (!(await changes.star(named(image), starred))) return;
    setAnnouncement(
      starred ? `Image ${imageLabelOf(image)} starred.` : `Image ${imageLabelOf(image)} no longer starred.`,
    );
  };
  const many = imagesNamed(chosen);
  const fits = chosen.length <= MAX_CHOSEN;
  const shareable = fits && !filters.deleted ? chosen : [];
  const actions: GalleryActions = {
    ...(!filters.deleted && { open: ({ variant }) => setOpenId(variant.id) }),
    download: (image) => void downloadVariant(image.jobId, shownImage(image)),
    onStale,
    ...(canEdit &&
      (filters.deleted
        ? { restore: (image) => void vanish(named(image), changes.restore) }
        : {
            star: (image) => void star(image),
            remove: (image) => void vanish(named(image), changes.remove),
          })),
  };
  const starMany = async (starred: boolean) => {
    if (filters.starred && !starred) expectRemoval(chosen);
    if (!(await changes.star(many, starred))) return;
    setAnnouncement(starred ? `${many.name} starred.` : `${many.name} no longer starred.`);
  };
  // A shortcut key acts on the selected images or, if none are selected, on the focused one. It does nothing while more
  // than `MAX_CHOSEN` images are selected.
  const isMany = chosen.length > 0;
  const keys: Pick<GalleryActions, 'star' | 'remove'> = fits
    ? {
        star: actions.star && ((image) => void (isMany ? starMany(true) : star(image))),
        remove: actions.remove && ((image) => void vanish(isMany ? many : named(image), changes.remove)),
      }
    : {};
  const onImage = (act: ((image: GalleryImage) => void) | undefined) =>
    act &&
    ((shown: ShownVariant) => {
      const image = imageOf(shown);
      if (image) act(image);
    });
  const isFiltered = isGalleryFiltered(filters);

  return (
    <div className={classes.page} data-wide="">
      <ProjectHeader project={project} userId={userId} current="gallery" live={live}>
        {canShare && (
          <HeaderButton
            icon={<IconShare size={16} stroke={1.6} aria-hidden="true" />}
            label="Share"
            onClick={() => setSharing(true)}
          />
        )}
      </ProjectHeader>
      {live === 'offline' ? (
        <OfflineBanner />
      ) : (
        error !== null && (
          <ErrorAlert
            title="The images could not be loaded"
            error={error}
            onRetry={() => void list.reload()}
          />
        )
      )}
      {lacksEditAccess(project) && <ViewOnlyLine />}
      <GalleryFilterBar
        projectId={project.id}
        filters={filters}
        onChange={(next, how) => {
          const href = galleryHref(project.id, next);
          if (how === 'push') window.history.pushState(null, '', href);
          else window.history.replaceState(null, '', href);
        }}
      />
      {filters.deleted && (
        <Text size="sm" c="dimmed">
          Deleted images can be restored for 30 days.
        </Text>
      )}
      {items === null ? (
        error === null && (
          <div className={grid.grid} role="status" aria-label="Loading">
            {ghosts.map((ghost) => (
              <Skeleton key={ghost} className={grid.ghost} />
            ))}
          </div>
        )
      ) : items.length === 0 ? (
        <Nothing
          text={
            isFiltered
              ? 'No image matches these filters.'
              : filters.deleted
                ? 'No image was deleted in the last 30 days.'
                : 'No images yet.'
          }
        >
          {isFiltered ? (
            <Button component={Link} variant="default" href={galleryHref(project.id)}>
              Clear filters
            </Button>
          ) : (
            !filters.deleted && (
              <Button component={Link} variant="default" href={studioHref(project.id)}>
                Open the studio
              </Button>
            )
          )}
        </Nothing>
      ) : (
        <GalleryGrid
          projectId={project.id}
          images={images}
          actions={actions}
          keys={keys}
          selection={selection}
          onSelect={setSelection}
        />
      )}
      <ShowMore list={list} />
      {chosen.length > 0 && (
        <ImageSelectionBar
          count={chosen.length}
          limit={MAX_CHOSEN}
          actions={{
            clear: () => setSelection(noSelection),
            ...(fits && !filters.deleted && { download: () => void downloadImages(project, chosen) }),
            ...(canShare && shareable.length > 0 && { share: () => setSharing(true) }),
            ...(canEdit &&
              fits &&
              (filters.deleted
                ? { restore: () => void vanish(many, changes.restore) }
                : {
                    star: () => void starMany(true),
                    unstar: () => void starMany(false),
                    remove: () => void vanish(many, changes.remove),
                    ...(chosen.length <= MAX_TEMPLATE_IMAGES && {
                      addToPage: () =>
                        void handOver(async ({ handOverImages }) => handOverImages(images.filter(isChosen))),
                    }),
                    ...(only &&
                      chosen.length === 1 && {
                        addWithSchedule: () => void handOver(({ handOverImage }) => handOverImage(only)),
                      }),
                  })),
          }}
        />
      )}
      <Lightbox
        projectId={project.id}
        variants={shown}
        openKey={openId}
        onOpen={setOpenId}
        onClose={() => setOpenId(null)}
        actions={{
          download: (image) => onImage(actions.download)?.(image),
          copy: (image) => void copyPrompt(image),
          copyImage: (image) => {
            const { jobId } = imageOf(image) ?? {};
            if (jobId) void copyVariant(jobId, image);
          },
          star: onImage(actions.star),
          remove: onImage(actions.remove),
          onStale,
        }}
      />
      <ShareDialog
        projectId={project.id}
        imageIds={shareable}
        initialKind={shareable.length > 0 ? 'images' : 'gallery'}
        opened={sharing}
        onClose={() => setSharing(false)}
      />
      <AddToDocumentDialog projectId={project.id} what={handedOver} onClose={() => setHandedOver(null)} />
      <Announcer text={announcement} />
    </div>
  );
}

// Use the same empty array on each render, so that values memoized from it are not recomputed.
const noImages: GalleryImage[] = [];

function Nothing({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Stack align="center" gap="md" py="4rem">
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  );
}
