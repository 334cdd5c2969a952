'use client';

import { Box, Button, Skeleton } from '@mantine/core';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { DocumentFonts } from '@/components/document/document-fonts';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ProjectHeader } from '@/components/projects/project-header';
import { canEditProject } from '@/components/projects/project-rights';
import { useLastKnown } from '@/hooks/use-last-known';
import type { Project } from '@/lib/projects/schema';
import { ConflictDialog } from './conflict-dialog';
import classes from './document-editor.module.css';
import type { EditorStore } from './editor-store';
import { ProjectFonts } from './fonts/use-project-fonts';
import { PresentPeople } from './presence/present-people';
import { type People, usePeople } from './presence/use-people';
import type { Autosave } from './saving/autosave';
import type { AutosaveState } from './saving/autosave-state';
import { useSaves } from './saving/use-saves';
import { SaveState } from './toolbar/save-state';
import { useAutosaveState, useDocument } from './use-document';
import { EditorProvider } from './use-editor';
import { useLoadedImages } from './use-loaded-images';
import { Workspace } from './workspace';

type Conflicts = Pick<ComponentProps<typeof ConflictDialog>, 'conflicts' | 'versions'>;

function conflictsOf({ trouble, current }: AutosaveState, autosave: Autosave): Conflicts | undefined {
  if (trouble?.kind !== 'conflict') return undefined;
  return { conflicts: autosave.conflicts(), versions: { mine: current, theirs: trouble.theirs } };
}

type SavingProps = { store: EditorStore; autosave: Autosave; changesOf: People['changesOf'] };

function Saving({ store, autosave, changesOf }: SavingProps) {
  const state = useAutosaveState(autosave);
  const isConflict = state.trouble?.kind === 'conflict';
  // The conflict that the user chose to resolve later.
  const [later, setLater] = useState<object | null>(null);
  const opened = isConflict && later !== state.trouble;
  const conflicts = useMemo(() => conflictsOf(state, autosave), [state, autosave]);
  // Keep the dialog's content while it fades out.
  const shown = useLastKnown<Conflicts | null>(conflicts, null);
  return (
    <>
      <SaveState state={state} autosave={autosave} changesOf={changesOf} />
      {isConflict && !opened && (
        <Button size="compact-xs" variant="default" onClick={() => setLater(null)}>
          Decide
        </Button>
      )}
      {shown && (
        <ConflictDialog
          {...shown}
          opened={opened}
          onLater={() => setLater(state.trouble)}
          onMerge={autosave.resolve}
          onMine={autosave.keepMine}
          onTheirs={async () => {
            const document = await autosave.takeTheirs();
            store.dispatch({ type: 'document-replaced', document, said: 'The newer version was loaded.' });
          }}
        />
      )}
    </>
  );
}

const nothingToSave = () => Promise.resolve();

type OpenProps = {
  project: Project;
  userId: string;
  store: EditorStore;
  autosave: Autosave | null;
  heard: Autosave['heard'];
  heading: (state: ReactNode) => ReactNode;
};

function OpenDocument({ project, userId, store, autosave, heard, heading }: OpenProps) {
  useSaves(project.id, heard);
  const { others, changesOf } = usePeople(project.id, userId);
  const { images, addImages } = useLoadedImages(project.id, store);
  return (
    <EditorProvider
      store={store}
      projectId={project.id}
      projectName={project.name}
      canEdit={autosave !== null}
      images={images}
    >
      <ProjectFonts />
      {heading(
        <>
          {autosave && <Saving store={store} autosave={autosave} changesOf={changesOf} />}
          <PresentPeople others={others} />
        </>,
      )}
      <Workspace project={project} flush={autosave?.flush ?? nothingToSave} onImages={addImages} />
    </EditorProvider>
  );
}

/** Shows the editor for a project's document, with its loading and error states. */
export function DocumentEditor({ project, userId }: { project: Project; userId: string }) {
  const open = useDocument(project.id, userId, canEditProject(project));
  const heading = (state: ReactNode) => (
    <div className={classes.heading}>
      <ProjectHeader project={project} userId={userId} current="document">
        {state}
      </ProjectHeader>
    </div>
  );
  return (
    <div className={classes.editor} data-wide="">
      <DocumentFonts />
      {open.phase === 'open' ? (
        <OpenDocument
          project={project}
          userId={userId}
          store={open.store}
          autosave={open.autosave}
          heard={open.heard}
          heading={heading}
        />
      ) : (
        <>
          {heading(null)}
          {open.phase === 'failed' ? (
            <Box p="md">
              <ErrorAlert title="The document could not be loaded" error={open.error} onRetry={open.reload} />
            </Box>
          ) : (
            <div className={classes.loading} role="status" aria-label="Loading document">
              <Skeleton height="100%" radius={0} />
            </div>
          )}
        </>
      )}
    </div>
  );
}
