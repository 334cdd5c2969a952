'use client';

import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react';
import { DocumentFonts } from '@/components/document/document-fonts';
import { ErrorAlert } from '@/components/feedback/error-alert';
import { ProjectHeader } from '@/components/projects/project-header';
import { canEditProject } from '@/components/projects/project-rights';
import { useLastKnown } from '@/hooks/use-last-known';
import type { DocumentSummary } from '@/lib/export/documents/schema';
import type { Project } from '@/lib/projects/schema';
import { ConflictDialog } from './conflict-dialog';
import classes from './document-editor.module.css';
import { DocumentMenu } from './documents/document-menu';
import { useDocumentChanges } from './documents/use-document-changes';
import { useDocumentSummary } from './documents/use-documents';
import { useRefreshDocuments } from './documents/use-refresh-documents';
import type { EditorStore } from './editor-store';
import { ProjectFonts } from './fonts/use-project-fonts';
import { PresentPeople } from './presence/present-people';
import { type People, usePeople } from './presence/use-people';
import type { Autosave } from './saving/autosave';
import { type AutosaveState, saveStatus } from './saving/autosave-state';
import { closedBy } from './saving/closed';
import { ClosedNotice } from './saving/closed-notice';
import { createSaveAsNew } from './saving/save-as-new';
import { useSaves } from './saving/use-saves';
import { SaveState } from './toolbar/save-state';
import { useAutosaveState, useDocument } from './use-document';
import { EditorProvider } from './use-editor';
import { useLoadedImages } from './use-loaded-images';
import { Workspace } from './workspace';

type Conflicts = Pick<ComponentProps<typeof ConflictDialog>, 'conflicts' | 'versions' | 'title'>;

function conflictsOf(
  { trouble, current }: AutosaveState,
  autosave: Autosave,
  newerVersionBy: People['newerVersionBy'],
): Conflicts | undefined {
  if (trouble?.kind !== 'conflict') return undefined;
  return {
    conflicts: autosave.conflicts(),
    versions: { mine: current, theirs: trouble.theirs },
    title: newerVersionBy(trouble.savedBy),
  };
}

type SavingProps = {
  store: EditorStore;
  autosave: Autosave;
  people: People;
  onState: (state: AutosaveState) => void;
};

function Saving({ store, autosave, people, onState }: SavingProps) {
  const state = useAutosaveState(autosave);
  useEffect(() => onState(state), [onState, state]);
  const { changesOf, newerVersionBy } = people;
  const conflicting = state.trouble?.kind === 'conflict' ? state.trouble.theirs : null;
  // The newer version whose conflicts the user chose to resolve later.
  const [later, setLater] = useState<object | null>(null);
  const opened = conflicting !== null && later !== conflicting;
  const conflicts = useMemo(
    () => conflictsOf(state, autosave, newerVersionBy),
    [state, autosave, newerVersionBy],
  );
  // Keep the dialog's content while it fades out.
  const shown = useLastKnown<Conflicts | null>(conflicts, null);
  return (
    <>
      <SaveState state={state} autosave={autosave} changesOf={changesOf} />
      {conflicting !== null && !opened && (
        <Button size="compact-xs" variant="default" onClick={() => setLater(null)}>
          Decide
        </Button>
      )}
      {shown && (
        <ConflictDialog
          {...shown}
          opened={opened}
          onLater={() => setLater(conflicting)}
          onMerge={autosave.resolve}
          onMine={autosave.keepMine}
          onTheirs={async () => {
            const document = await autosave.takeTheirs();
            store.dispatch({ type: 'document-replaced', document, message: 'The newer version was loaded.' });
          }}
        />
      )}
    </>
  );
}

const nothingToSave = () => Promise.resolve();

type OpenProps = {
  project: Project;
  documentId: string;
  documentName: string;
  userId: string;
  store: EditorStore;
  autosave: Autosave | null;
  onVersion: Autosave['onVersion'];
  onState: (state: AutosaveState) => void;
  heading: (state: ReactNode, flush: () => Promise<void>) => ReactNode;
};

function OpenDocument(props: OpenProps) {
  const { project, documentId, documentName, userId, store, autosave, onVersion, onState, heading } = props;
  useSaves(project.id, documentId, onVersion);
  const people = usePeople(project.id, documentId, userId);
  const { images, addImages } = useLoadedImages(project.id, store);
  const flush = autosave?.flush ?? nothingToSave;
  return (
    <EditorProvider
      store={store}
      projectId={project.id}
      documentId={documentId}
      projectName={project.name}
      documentName={documentName}
      canEdit={autosave !== null}
      images={images}
    >
      <ProjectFonts />
      {heading(
        <>
          {autosave && <Saving store={store} autosave={autosave} people={people} onState={onState} />}
          <PresentPeople others={people.others} />
        </>,
        flush,
      )}
      <Workspace project={project} flush={flush} onImages={addImages} />
    </EditorProvider>
  );
}

type DocumentEditorProps = { project: Project; document: DocumentSummary; userId: string };

/** Shows the editor for a document, with its loading and error states. */
export function DocumentEditor({ project, document: given, userId }: DocumentEditorProps) {
  const { document, isGone } = useDocumentSummary(project.id, given);
  const isArchived = document.archivedAt !== null;
  const canEdit = canEditProject(project);
  const [saving, setSaving] = useState<AutosaveState | null>(null);
  // If a document is archived elsewhere, it stays open for editing while it has unsaved changes.
  const hasUnsaved = saving !== null && saveStatus(saving) !== 'saved';
  const open = useDocument(project.id, document.id, userId, canEdit && (!isArchived || hasUnsaved));
  const refused = saving?.trouble?.kind === 'failed' ? closedBy(saving.trouble.error) : null;
  const { store, autosave } = open.phase === 'open' ? open : { store: null, autosave: null };
  // The function remembers a failed request, so that the next call does not create a second document. Keep the
  // function here rather than in `ClosedNotice`, because `ClosedNotice` is not rendered while saving is retried.
  const [saveAsNew] = useState(createSaveAsNew);
  const closed = isGone ? 'deleted' : refused;
  const refresh = useRefreshDocuments(project.id);
  const changes = useDocumentChanges(project.id, refresh);
  const heading = (state: ReactNode, flush: () => Promise<void>) => (
    <div className={classes.heading}>
      <ProjectHeader
        project={project}
        userId={userId}
        current="document"
        subtitle={
          <DocumentMenu
            projectId={project.id}
            document={document}
            canEdit={canEdit}
            changes={changes}
            onChanged={refresh}
            flush={flush}
          />
        }
      >
        {state}
      </ProjectHeader>
      {closed && store && autosave && (
        <ClosedNotice
          closed={closed}
          autosave={autosave}
          onSaveAsNew={() => saveAsNew(project.id, document.name, { store, autosave })}
          onReopen={() => (closed === 'archived' ? changes.unarchive(document) : changes.restore(document))}
        />
      )}
      {closed === 'deleted' && !canEdit && (
        <Text role="alert" size="sm">
          This document was deleted, or you no longer have access to it.
        </Text>
      )}
      {isArchived && !closed && (
        <Group role="note" gap="xs">
          <IconArchive size={18} stroke={1.6} aria-hidden="true" />
          <Text size="sm" flex={1}>
            This document is archived. It can be viewed but not changed.
          </Text>
          {canEdit && (
            <Button size="xs" variant="default" onClick={() => void changes.unarchive(document)}>
              Unarchive
            </Button>
          )}
        </Group>
      )}
    </div>
  );
  return (
    <div className={classes.editor} data-wide="">
      <DocumentFonts />
      {open.phase === 'open' ? (
        <OpenDocument
          project={project}
          documentId={document.id}
          documentName={document.name}
          userId={userId}
          store={open.store}
          autosave={open.autosave}
          onVersion={open.onVersion}
          onState={setSaving}
          heading={heading}
        />
      ) : (
        <>
          {heading(null, nothingToSave)}
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
