'use client';

import { ActionIcon, Loader, Menu, Modal, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { showError } from '@/components/feedback/show-error';
import { ShowMore } from '@/components/feedback/show-more';
import { countOf } from '@/components/format/count';
import { ProjectNameForm } from '@/components/projects/project-name-form';
import { useLastKnown } from '@/hooks/use-last-known';
import { usePages } from '@/hooks/use-pages';
import type { DocumentImages } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import type { PageTemplate } from '@/lib/export/page-templates/schema';
import { copyImages } from '../document-calls';
import { useProjectFonts } from '../fonts/use-project-fonts';
import { unknownImages } from '../paste/paste-images';
import { imagesOfPicks } from '../pickers/image-pick';
import { useDocumentImages, useEditorContext } from '../use-editor';
import { addTemplate, elementsOfTemplate, missingFontsOf, withCopiedImages } from './own-template';
import {
  deleteTemplate,
  readTemplate,
  readTemplates,
  renameTemplate,
  templatesKey,
} from './own-template-calls';
import { PageMiniature } from './page-miniature';
import classes from './templates.module.css';

const PX = 168;

type OwnTemplatesProps = {
  onClose: () => void;
  /** Receives the images that were copied into the project. */
  onImages: (images: DocumentImages) => void;
};

/** Lists the templates that people have saved for all projects. Clicking a template adds it to the document. */
export function OwnTemplates({ onClose, onImages }: OwnTemplatesProps) {
  const { store, projectId } = useEditorContext();
  const known = useDocumentImages();
  const { fonts } = useProjectFonts();
  const list = usePages({
    queryKey: templatesKey,
    read: (cursor, signal) => readTemplates(projectId, cursor, signal),
  });
  const [adding, setAdding] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<PageTemplate | null>(null);
  const renamed = useLastKnown<PageTemplate | null>(renaming ?? undefined, null);

  const add = async ({ id, name }: PageTemplate) => {
    if (adding) return;
    setAdding(id);
    try {
      const { content } = await readTemplate(projectId, id);
      const keys = unknownImages(elementsOfTemplate(content), known);
      const copied = keys.length === 0 ? { images: [], failed: [] } : await copyImages(projectId, keys);
      const filled = withCopiedImages(content, copied);
      const { document, pageId } = store.get();
      const added = addTemplate(document, filled.content, pageId);
      if ('refused' in added) {
        notifications.show({ color: 'yellow', message: added.refused });
        return;
      }
      onImages(
        imagesOfPicks(copied.images.map((image) => ({ ...image, imageId: null, path: image.newKey }))),
      );
      store.dispatch({ type: 'document-replaced', document: added.document, message: `${name} was added.` });
      store.dispatch({ type: 'page-opened', pageId: added.pageId });
      for (const message of [filled.leftOut, missingFontsOf(content, fonts), added.notice]) {
        if (message !== null) notifications.show({ color: 'yellow', message });
      }
      onClose();
    } catch (error) {
      showError('The template could not be used', error);
    } finally {
      setAdding(null);
    }
  };
  const askToDelete = ({ id, name }: PageTemplate) =>
    askToConfirm({
      title: 'Delete this template?',
      text: (
        <>
          <strong>{name}</strong> is deleted for everyone. Pages made from it are kept. This cannot be undone.
        </>
      ),
      action: 'Delete',
      onConfirm: () =>
        void deleteTemplate(projectId, id)
          .catch((error: unknown) => showError(`${name} could not be deleted`, error))
          .then(() => list.reload()),
    });

  return (
    <Stack component="section" gap="sm" aria-label="Templates of the studio">
      <Title order={3} size="h5">
        Templates of the studio
      </Title>
      {list.error !== null && (
        <ErrorAlert
          title="The templates could not be loaded"
          error={list.error}
          onRetry={() => void list.reload()}
        />
      )}
      {list.items === null && list.error === null && (
        <Skeleton h={200} role="status" aria-label="Loading templates" />
      )}
      {list.items?.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Save a page as a template from its menu in the list of pages.
        </Text>
      )}
      {list.items && list.items.length > 0 && (
        <ul className={classes.grid} aria-label="Templates of the studio">
          {list.items.map((template) => (
            <li key={template.id} className={classes.card}>
              <div className={classes.stage}>
                {adding === template.id ? (
                  <Loader aria-label="Adding the template" />
                ) : (
                  <TemplateMiniature id={template.id} />
                )}
              </div>
              <UnstyledButton className={classes.add} onClick={() => void add(template)}>
                {template.name}
              </UnstyledButton>
              <Text size="xs" c="dimmed">
                {countOf(template.pageCount, 'page')}
              </Text>
              {template.canChange && (
                <Menu position="bottom-end">
                  <Menu.Target>
                    <ActionIcon
                      className={classes.more}
                      variant="default"
                      aria-label={`More for ${template.name}`}
                    >
                      <IconDots size={16} stroke={1.6} />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenaming(template)}>
                      Rename
                    </Menu.Item>
                    <Menu.Item
                      color="red"
                      leftSection={<IconTrash size={16} />}
                      onClick={() => askToDelete(template)}
                    >
                      Delete
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              )}
            </li>
          ))}
        </ul>
      )}
      <ShowMore list={list} />
      <Modal opened={renaming !== null} onClose={() => setRenaming(null)} title="Rename template">
        {renamed && (
          <ProjectNameForm
            initial={renamed.name}
            action="Rename"
            onSave={async (name) => {
              await renameTemplate(projectId, renamed.id, name);
              setRenaming(null);
              await list.reload();
            }}
            onCancel={() => setRenaming(null)}
          />
        )}
      </Modal>
    </Stack>
  );
}

/** Shows the first page of a template. Images that are not in this document appear as empty frames. */
function TemplateMiniature({ id }: { id: string }) {
  const { projectId } = useEditorContext();
  const images = useDocumentImages();
  const { data, error } = useQuery({
    queryKey: [...templatesKey, id],
    queryFn: ({ signal }) => readTemplate(projectId, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const page = data?.content.pages[0];
  if (error) return <Text size="xs">No preview</Text>;
  if (!data || !page) return <Skeleton w={120} h={PX} />;
  return (
    <PageMiniature
      page={page}
      size={sheetSize(data.content)}
      masters={data.content.masters}
      images={images}
      px={PX}
    />
  );
}
