'use client';

import {
  Button,
  Checkbox,
  Group,
  Loader,
  Modal,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPhotoPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { countOf } from '@/components/format/count';
import { useMaterialTray } from '@/components/materials/tray-provider';
import { newKey } from '@/hooks/new-key';
import type { DocumentImages, PageData } from '@/lib/document/page-model';
import { sheetSize } from '@/lib/document/sheets';
import { pageStyler } from '@/lib/document/styles/apply-styles';
import { templates } from '@/lib/document/templates/templates';
import { type ImagePick, imagesOfPicks } from '../pickers/image-pick';
import { InsertImageDialogOnDemand } from '../pickers/insert-image-dialog-on-demand';
import { importMaterials, type MaterialPick } from '../pickers/material-pick';
import { useEditor, usePaper } from '../use-editor';
import { OwnTemplates } from './own-templates';
import { PageMiniature } from './page-miniature';
import classes from './templates.module.css';

type TemplatesDialogProps = {
  projectId: string;
  opened: boolean;
  onClose: () => void;
  /** Receives the new pages and the URLs of their images. */
  onPick: (pages: PageData[], images: DocumentImages) => void;
  /** Receives the images that were copied into the project with a template. */
  onImages: (images: DocumentImages) => void;
};

/**
 * Dialog to create a page from a built-in template or to add the pages of a saved template. Fills the built-in
 * templates with chosen images and the tray's materials. Shows live previews.
 */
export function TemplatesDialog({ opened, onClose, ...props }: TemplatesDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="xl" title="New page from a template">
      <TemplateChoice {...props} onClose={onClose} />
    </Modal>
  );
}

function TemplateChoice({ projectId, onClose, onPick, onImages }: Omit<TemplatesDialogProps, 'opened'>) {
  const tray = useMaterialTray();
  const [title, setTitle] = useState('');
  const [images, setImages] = useState<ImagePick[]>([]);
  const [materials, setMaterials] = useState<MaterialPick[]>([]);
  const [choosing, setChoosing] = useState(false);
  const [reading, setReading] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const shown = useMemo(() => {
    const pictures = materials.flatMap(({ image }) =>
      image ? [{ ...image, imageId: image.id, path: null }] : [],
    );
    return imagesOfPicks([...images, ...pictures]);
  }, [images, materials]);
  const paper = usePaper();
  const styles = useEditor(({ document }) => document.styles);
  const colors = useEditor(({ document }) => document.colors);
  const pages = useMemo(() => {
    const stylePage = pageStyler({ styles, colors });
    const content = { title, text: '', images, materials: materials.map(({ material }) => material) };
    return templates.map((template) => ({
      template,
      page: stylePage(template.make({ ...paper, styles }, content, 'miniature')),
    }));
  }, [paper, styles, colors, title, images, materials]);

  const fill = async (isFilled: boolean) => {
    setError(null);
    if (!isFilled) return setMaterials([]);
    setReading(true);
    try {
      const { picks, note } = await importMaterials(projectId, tray.materials);
      setMaterials(picks);
      if (note) notifications.show({ color: 'yellow', message: note });
    } catch (error) {
      setError(error);
    } finally {
      setReading(false);
    }
  };
  const add = (page: PageData) => {
    onPick([{ ...page, id: newKey() }], shown);
    onClose();
  };

  return (
    <Stack gap="md">
      <TextInput
        label="Page title"
        placeholder="As in the template"
        value={title}
        maxLength={120}
        data-autofocus
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <Group gap="md">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPhotoPlus size={16} stroke={1.6} />}
          onClick={() => setChoosing(true)}
        >
          {images.length === 0 ? 'Choose images' : `${countOf(images.length, 'image')} chosen`}
        </Button>
        {images.length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => setImages([])}>
            Clear images
          </Button>
        )}
        {tray.materials.length > 0 ? (
          <Group gap="xs">
            <Checkbox
              label={`Fill with ${countOf(tray.materials.length, 'material')} from your tray`}
              checked={materials.length > 0 || reading}
              disabled={reading}
              onChange={(event) => void fill(event.currentTarget.checked)}
            />
            {reading && <Loader size="xs" aria-label="Loading materials" />}
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            Add materials to your tray to use them here.
          </Text>
        )}
      </Group>
      {error !== null && (
        <ErrorAlert title="The materials could not be loaded" error={error} onRetry={() => void fill(true)} />
      )}
      <ul className={classes.grid} aria-label="Templates">
        {pages.map(({ template: { id, name, description }, page }) => (
          <li key={id} className={classes.card}>
            <div className={classes.stage}>
              <PageMiniature page={page} size={sheetSize(paper)} images={shown} px={168} />
            </div>
            <UnstyledButton className={classes.add} onClick={() => add(page)}>
              {name}
            </UnstyledButton>
            <Text size="xs" c="dimmed">
              {description}
            </Text>
          </li>
        ))}
      </ul>
      <OwnTemplates onClose={onClose} onImages={onImages} />
      <InsertImageDialogOnDemand
        projectId={projectId}
        opened={choosing}
        onClose={() => setChoosing(false)}
        onPick={setImages}
        max={12}
      />
    </Stack>
  );
}
