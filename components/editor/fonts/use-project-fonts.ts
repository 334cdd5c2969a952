import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { cssFontName } from '@/lib/document/font-library';
import type { ProjectFont } from '@/lib/fonts/schema';
import { useEditorContext } from '../use-editor';
import { fontsKey, readFonts } from './font-calls';

const none: ProjectFont[] = [];

/** Returns the fonts uploaded to the editor's project. */
export function useProjectFonts() {
  const { projectId } = useEditorContext();
  const { data = none, error } = useQuery({
    queryKey: fontsKey(projectId),
    queryFn: ({ signal }) => readFonts(projectId, signal),
  });
  return { fonts: data, error };
}

/** Adds the project's fonts to the page; renders nothing. The browser fetches a font file only when text needs it. */
export function ProjectFonts(): null {
  const { projectId } = useEditorContext();
  const { fonts } = useProjectFonts();
  useEffect(() => {
    const faces = fonts.map(
      ({ id, name, bold, italic }) =>
        new FontFace(cssFontName(name), `url(/api/projects/${projectId}/fonts/${id})`, {
          weight: bold ? '700' : '400',
          style: italic ? 'italic' : 'normal',
        }),
    );
    for (const face of faces) document.fonts.add(face);
    return () => {
      for (const face of faces) document.fonts.delete(face);
    };
  }, [fonts, projectId]);
  return null;
}
