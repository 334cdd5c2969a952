'use client';

import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconEye, IconLayoutGrid, IconPlus } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Announcer } from '@/components/feedback/announcer';
import { onDemand } from '@/components/feedback/on-demand';
import { SideDrawer } from '@/components/feedback/side-drawer';
import { canShareProject, lacksEditAccess } from '@/components/projects/project-rights';
import type { DocumentImages } from '@/lib/document/page-model';
import type { FrontSheet } from '@/lib/document/sheets';
import type { Project } from '@/lib/projects/schema';
import { Canvas } from './canvas/canvas';
import { focusDesk } from './canvas/focus-canvas';
import { SheetCanvas } from './canvas/sheet-canvas';
import { useCanvasZoom } from './canvas/use-zoom';
import classes from './document-editor.module.css';
import { documentHref } from './document-url';
import { numberAt, type OpenSheet, onPage } from './editor-change';
import { type EditorDialog, EditorDialogs } from './editor-dialogs';
import { FindBar } from './find/find-bar';
import { needsCjk, useCjkFonts } from './fonts/use-cjk-fonts';
import { Inspector } from './inspector/inspector';
import { newPage } from './new-elements';
import { PasteAndDrop } from './paste/paste-and-drop';
import { PageStrip } from './strip/page-strip';
import { TableFlows } from './tables/table-flows';
import { Toolbar } from './toolbar/toolbar';
import { useCurrentPage, useEditor, useEditorContext, useFrontSheets, usePageSize } from './use-editor';
import { useEditorKeys } from './use-editor-keys';

const SaveTemplateDialog = onDemand(
  () => import('./templates/save-template-dialog').then((file) => file.SaveTemplateDialog),
  { pageId: null },
);

/** Announces the editor's messages to screen readers, and also shows those marked `refused` as notifications. */
function EditorMessage() {
  const message = useEditor((state) => state.message);
  useEffect(() => {
    if (!message?.refused) return;
    // A new notification replaces the previous one.
    notifications.hide('editor refused');
    notifications.show({ id: 'editor refused', message: message.text, color: 'yellow' });
  }, [message]);
  // Screen readers announce a repeated message only if its text differs. Therefore, every second message ends with a
  // nonbreaking space.
  return (
    <Announcer text={message ? `${message.text}${message.serial % 2 === 0 ? '\u00a0' : ''}` : undefined} />
  );
}

function EmptyDocument({ onTemplates }: { onTemplates: () => void }) {
  const { store, canEdit } = useEditorContext();
  // The focused "Add a page" button disappears with the empty state; move the focus to the canvas.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusDesk();
    },
    [],
  );
  return (
    <Stack align="center" justify="center" gap="xs" ta="center" p="xl" className={classes.empty}>
      <Title order={2}>No pages yet</Title>
      <Text c="dimmed" maw="26rem" mb="sm">
        {canEdit
          ? 'Start with an empty page, or with a template filled with images and materials from the project.'
          : 'No pages have been added to this document.'}
      </Text>
      {canEdit && (
        <Group justify="center">
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => store.dispatch({ type: 'pages-added', pages: [newPage()], after: null })}
          >
            Add a page
          </Button>
          <Button variant="default" leftSection={<IconLayoutGrid size={16} />} onClick={onTemplates}>
            Choose a template
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Returns the open cover or contents sheet, or null if neither is open. */
function openFrontSheet(sheets: readonly FrontSheet[], open: OpenSheet): FrontSheet | null {
  const found = sheets.filter(({ kind }) => kind === open.kind)[open.kind === 'contents' ? open.index : 0];
  return found ?? null;
}

type WorkspaceProps = {
  project: Project;
  flush: () => Promise<void>;
  onImages: (images: DocumentImages) => void;
};

/** Shows an open document with its toolbar, page strip, canvas, settings and dialogs. */
export function Workspace({ project, flush, onImages }: WorkspaceProps) {
  const { store, projectId, projectName, documentId } = useEditorContext();
  const page = useCurrentPage();
  const openSheet = useEditor(({ sheet }) => sheet);
  const number = useEditor(({ document, pageId, sheet }) =>
    sheet.kind === 'page'
      ? numberAt(
          document,
          document.pages.findIndex(({ id }) => id === pageId),
        )
      : null,
  );
  const front = useFrontSheets();
  const frontSheet = openFrontSheet(front, openSheet);
  const view = useCanvasZoom(usePageSize());
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const [dialog, setDialog] = useState<EditorDialog | null>(null);
  const [settings, setSettings] = useState(false);
  const openSettings = useCallback(() => setSettings(true), []);
  const [finding, setFinding] = useState(false);
  const onFind = useCallback(() => {
    setFinding(true);
    document.querySelector<HTMLInputElement>('[data-find]')?.select();
  }, []);
  const [droppedPdf, setDroppedPdf] = useState<File | null>(null);
  const closeDialog = useCallback(() => {
    setDialog(null);
    setDroppedPdf(null);
  }, []);
  const openPdf = useCallback((file: File) => {
    setDroppedPdf(file);
    setDialog('open-pdf');
  }, []);
  const [templatePage, setTemplatePage] = useState<string | null>(null);
  const closeTemplate = useCallback(() => setTemplatePage(null), []);
  useEditorKeys({ view, flush, onFind });
  useCjkFonts(useEditor(({ document }) => needsCjk(document, projectName)));
  // A settings drawer that was opened in a narrow window must not reappear when the window becomes narrow again.
  useEffect(() => {
    if (isWide) setSettings(false);
  }, [isWide]);

  const pageId = useEditor((state) => state.pageId);
  useEffect(
    () => window.history.replaceState(null, '', documentHref({ projectId, documentId }, pageId)),
    [projectId, documentId, pageId],
  );

  const slots = useMemo(
    () => ({ onReplaceImage: () => setDialog('replace'), onCoverImage: () => setDialog('cover') }),
    [],
  );
  const inspector = <Inspector page={page} number={number} {...slots} />;
  return (
    <>
      <Toolbar
        view={view}
        canShare={canShareProject(project)}
        onDialog={setDialog}
        onSettings={isWide ? null : openSettings}
      />
      {lacksEditAccess(project) && (
        <Alert
          variant="outline"
          color="aubergine"
          icon={<IconEye size={18} />}
          className={classes.notice}
          title="View only"
        >
          Ask an owner of the project for edit access to change this document.
        </Alert>
      )}
      {openSheet.kind === 'master' && page && (
        <Group className={classes.master}>
          <Text size="sm" role="status">
            Editing the master “{page.title || 'Untitled'}”
          </Text>
          <Button size="compact-sm" onClick={() => store.dispatch({ type: 'sheet-opened', sheet: onPage })}>
            Done
          </Button>
        </Group>
      )}
      <div className={classes.panes}>
        <PageStrip horizontal={!isWide} onSaveTemplate={setTemplatePage} />
        {page ? (
          <Canvas
            key={`${openSheet.kind} ${page.id}`}
            page={page}
            number={number}
            view={view}
            onFields={() => {
              if (!isWide) setSettings(true);
              else document.querySelector<HTMLElement>('[data-settings] input:not(:disabled)')?.focus();
            }}
          />
        ) : frontSheet ? (
          <SheetCanvas key={frontSheet.number} sheet={frontSheet} view={view} />
        ) : (
          <EmptyDocument onTemplates={() => setDialog('templates')} />
        )}
        {isWide ? (
          <aside data-settings="" className={classes.inspector} aria-label="Settings">
            {inspector}
          </aside>
        ) : (
          <SideDrawer opened={settings} onClose={() => setSettings(false)} size="20rem" title="Settings">
            {inspector}
          </SideDrawer>
        )}
      </div>
      {finding && <FindBar onClose={() => setFinding(false)} />}
      <TableFlows />
      <PasteAndDrop onImages={onImages} onPdf={openPdf} />
      <EditorDialogs
        dialog={dialog}
        onDialog={setDialog}
        onClose={closeDialog}
        flush={flush}
        droppedPdf={droppedPdf}
        onImages={onImages}
      />
      <SaveTemplateDialog pageId={templatePage} onClose={closeTemplate} />
      <EditorMessage />
    </>
  );
}
