'use client';

import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { documentCss } from '@/components/document/document-css';
import { ElementView } from '@/components/document/element-view';
import { mm } from '@/components/document/lengths';
import { type MeasuredTable, type TableFlow, tableFlows } from '@/lib/document/table-flow';
import { PX_PER_MM } from '../geometry/zoom';
import { useDocumentImages, useEditor, useEditorContext } from '../use-editor';
import { widthsOf } from './flow-table';
import classes from './tables.module.css';

/** Milliseconds without changes before tables are measured. Measuring during a drag or typing would be too slow. */
const PAUSE_MS = 150;
/**
 * The height of the frame in which a table is measured. It is the page model's maximum height, because rows below a
 * frame are not rendered.
 */
const UNBOUNDED_HEIGHT_MM = 2000;

const heightOf = (row: Element | null) => (row ? row.getBoundingClientRect().height / PX_PER_MM : 0);

function measuredTables(room: HTMLElement): MeasuredTable[] {
  return [...room.querySelectorAll<HTMLElement>('[data-width]')].map((box) => ({
    width: Number(box.dataset.width),
    header: heightOf(box.querySelector('thead tr')),
    rows: [...box.querySelectorAll('tbody tr')].map(heightOf),
  }));
}

/** Renders a whole table offscreen at the width of each of its frames, measures its rows, and distributes them. */
function MeasuredFlow({ flow }: { flow: TableFlow }) {
  const { store } = useEditorContext();
  const images = useDocumentImages();
  const { id: flowId, head } = flow;
  // biome-ignore lint/correctness/useExhaustiveDependencies: measure again when `flow` changes.
  const measureRows = useCallback(
    (room: HTMLElement | null) => {
      if (!room) return;
      const measure = () => store.dispatch({ type: 'table-flowed', flowId, measured: measuredTables(room) });
      const timer = setTimeout(measure, PAUSE_MS);
      document.fonts.addEventListener('loadingdone', measure);
      return () => {
        clearTimeout(timer);
        document.fonts.removeEventListener('loadingdone', measure);
      };
    },
    [store, flowId, flow],
  );
  return (
    <div ref={measureRows} className={classes.measured} inert aria-hidden="true">
      {widthsOf(flow).map((width) => (
        <div
          key={width}
          className="doc-sheet"
          data-width={width}
          style={{ width: mm(width), contain: 'none' }}
        >
          <ElementView
            element={{ ...head.element, x: 0, y: 0, w: width, h: UNBOUNDED_HEIGHT_MM, rotation: 0 }}
            images={images}
          />
        </div>
      ))}
    </div>
  );
}

/**
 * Redistributes the rows of tables that span pages, whenever a page changes or fonts load. Also removes orphans, which
 * are continuations of a table that was deleted or no longer spans pages. Does nothing for users who cannot edit.
 */
export function TableFlows() {
  const { store, canEdit } = useEditorContext();
  const pages = useDeferredValue(useEditor(({ document }) => document.pages));
  const { flows, orphans } = useMemo(() => tableFlows(pages), [pages]);
  useEffect(() => {
    if (canEdit && orphans.length > 0) store.dispatch({ type: 'orphans-removed' });
  }, [store, canEdit, orphans]);
  if (!canEdit || flows.length === 0) return null;
  return (
    <>
      <style href="document" precedence="default">
        {documentCss}
      </style>
      {flows.map((flow) => (
        <MeasuredFlow key={flow.id} flow={flow} />
      ))}
    </>
  );
}
