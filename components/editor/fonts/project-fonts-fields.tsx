'use client';

import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import { FilePicker } from '@/components/files/file-picker';
import { FormFailure } from '@/components/form/form-failure';
import { countOf } from '@/components/format/count';
import { cssFontName, STANDARD_FONT } from '@/lib/document/font-library';
import { fontUses } from '@/lib/document/project-fonts';
import type { ProjectFont } from '@/lib/fonts/schema';
import { useEditorContext } from '../use-editor';
import { deleteFont, fontsKey, postFont } from './font-calls';
import { useProjectFonts } from './use-project-fonts';

const styleOf = ({ bold, italic }: ProjectFont) =>
  [bold && 'Bold', italic && 'Italic'].filter(Boolean).join(' ') || 'Regular';

/** Lists the fonts uploaded to the project, with buttons to add and remove fonts. */
export function ProjectFontsFields() {
  const { store, projectId, canEdit } = useEditorContext();
  const { fonts, error } = useProjectFonts();
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: fontsKey(projectId) });
  const adding = useMutation({ mutationFn: (file: File) => postFont(projectId, file), onSettled });
  const removing = useMutation({ mutationFn: (id: string) => deleteFont(projectId, id), onSettled });
  const askToRemove = (font: ProjectFont) => {
    const uses = fontUses(store.get().document, font.name);
    const named = [
      uses.elements > 0 && countOf(uses.elements, 'element'),
      uses.cover && 'the cover',
      uses.contents && 'the contents',
    ].filter((use) => use !== false);
    const hasOtherStyles = fonts.some(({ id, name }) => id !== font.id && name === font.name);
    askToConfirm({
      title: `Remove ${font.name} ${styleOf(font)}?`,
      text: (
        <>
          {named.length === 0
            ? 'No text in this document uses this font.'
            : `Used in this document by ${new Intl.ListFormat('en').format(named)}. The text will be shown in ${hasOtherStyles ? 'its other styles' : STANDARD_FONT}.`}{' '}
          To restore the font, upload its file again.
        </>
      ),
      action: 'Remove',
      onConfirm: () => {
        adding.reset();
        removing.mutate(font.id);
      },
    });
  };
  const problem = adding.error ?? removing.error ?? error;
  return (
    <Stack gap="xs" component="section" aria-label="Project fonts">
      <Title order={2} size="sm">
        Project fonts
      </Title>
      {fonts.length === 0 && (
        <Text size="xs" c="dimmed">
          None. WOFF2, TTF and OTF files can be uploaded.
        </Text>
      )}
      {fonts.map((font) => (
        <Group key={font.id} gap="xs" wrap="nowrap" justify="space-between">
          <Text
            size="sm"
            truncate
            ff={`${cssFontName(font.name)}, sans-serif`}
            fw={font.bold ? 700 : 400}
            fs={font.italic ? 'italic' : undefined}
          >
            {font.name} {styleOf(font)}
          </Text>
          {canEdit && (
            <CloseButton
              size="sm"
              aria-label={`Remove ${font.name} ${styleOf(font)}`}
              disabled={removing.isPending}
              onClick={() => askToRemove(font)}
            />
          )}
        </Group>
      ))}
      <FormFailure text={problem && describeError(problem)} />
      {canEdit && (
        <FilePicker
          accept=".woff2,.ttf,.otf"
          onFiles={([file]) => {
            if (!file) return;
            removing.reset();
            adding.mutate(file);
          }}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={adding.isPending}>
              Upload font
            </Button>
          )}
        </FilePicker>
      )}
    </Stack>
  );
}
