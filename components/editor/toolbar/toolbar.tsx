'use client';

import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconAdjustmentsHorizontal,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconEye,
  IconFileDownload,
  IconFileImport,
  IconHistory,
  IconLayoutGrid,
  IconShare,
} from '@tabler/icons-react';
import { memo } from 'react';
import type { ZoomView } from '../canvas/use-zoom';
import type { EditorDialog } from '../editor-dialogs';
import { useEditor, useEditorContext } from '../use-editor';
import { ArrangeMenu } from './arrange-menu';
import { InsertButtons } from './insert-buttons';
import classes from './toolbar.module.css';
import { ZoomMenu } from './zoom-menu';

type ToolbarProps = {
  view: ZoomView;
  canShare: boolean;
  onDialog: (dialog: EditorDialog) => void;
  /** Opens the settings drawer; null in wide windows, where the settings are always visible. */
  onSettings: (() => void) | null;
};

function UndoButtons() {
  const { store } = useEditorContext();
  const canUndo = useEditor(({ past }) => past.length > 0);
  const canRedo = useEditor(({ future }) => future.length > 0);
  return (
    <Group gap={2} wrap="nowrap">
      <Tooltip label="Undo (Ctrl Z)">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Undo"
          data-disabled={!canUndo || undefined}
          aria-disabled={!canUndo}
          onClick={() => store.dispatch({ type: 'undone' })}
        >
          <IconArrowBackUp size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl Shift Z)">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Redo"
          data-disabled={!canRedo || undefined}
          aria-disabled={!canRedo}
          onClick={() => store.dispatch({ type: 'redone' })}
        >
          <IconArrowForwardUp size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

export const Toolbar = memo(function Toolbar({ view, canShare, onDialog, onSettings }: ToolbarProps) {
  const { canEdit } = useEditorContext();
  const hasPage = useEditor(({ pageId }) => pageId !== null);
  const openKind = useEditor(({ sheet }) => sheet.kind);
  const icon = { size: 16, stroke: 1.6 } as const;
  return (
    <div className={classes.toolbar} role="toolbar" aria-label="Document tools">
      {onSettings && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconAdjustmentsHorizontal {...icon} />}
          onClick={onSettings}
        >
          Settings
        </Button>
      )}
      {canEdit && (
        <>
          <UndoButtons />
          <InsertButtons
            disabled={openKind === 'page' ? !hasPage : openKind !== 'master'}
            isMaster={openKind === 'master'}
            onImages={() => onDialog('images')}
            onMaterials={() => onDialog('materials')}
            onStandards={() => onDialog('standards')}
          />
          <Button
            variant="default"
            size="xs"
            leftSection={<IconLayoutGrid {...icon} />}
            onClick={() => onDialog('templates')}
          >
            Templates
          </Button>
          <ArrangeMenu />
          <Tooltip label="Open a PDF">
            <ActionIcon
              variant="default"
              size={30}
              aria-label="Open a PDF"
              onClick={() => onDialog('open-pdf')}
            >
              <IconFileImport {...icon} />
            </ActionIcon>
          </Tooltip>
        </>
      )}
      <div className={classes.end}>
        {(hasPage || openKind !== 'page') && <ZoomMenu view={view} />}
        <Tooltip label="History">
          <ActionIcon variant="default" size={30} aria-label="History" onClick={() => onDialog('history')}>
            <IconHistory {...icon} />
          </ActionIcon>
        </Tooltip>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconEye {...icon} />}
          disabled={!hasPage}
          onClick={() => onDialog('preview')}
        >
          Preview
        </Button>
        {canShare && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconShare {...icon} />}
            onClick={() => onDialog('share')}
          >
            Share
          </Button>
        )}
        <Button
          size="xs"
          variant={canEdit ? 'filled' : 'default'}
          leftSection={<IconFileDownload {...icon} />}
          disabled={canEdit && !hasPage}
          onClick={() => onDialog('export')}
        >
          {canEdit ? 'Export' : 'Exports'}
        </Button>
      </div>
    </div>
  );
});
