'use client';

import type { Frame } from '@/lib/document/bounds';
import type { PageElement } from '@/lib/document/page-model';
import { boundsOfAll } from '../geometry/frames';
import { type Handle, handles } from '../geometry/resize';
import { frameOf } from '../geometry/units';
import classes from './canvas.module.css';

const percent = (side: number) => `${(side + 1) * 50}%`;

/** Returns the resize cursor for a handle of a frame with this rotation. */
function cursorOf(handle: Handle, rotation: number): string {
  const { x, y } = handles[handle];
  const angle = (Math.atan2(y, x) * 180) / Math.PI + rotation;
  const eighth = Math.round((((angle % 180) + 180) % 180) / 45) % 4;
  return ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'][eighth] ?? 'pointer';
}

function boxStyle({ x, y, w, h, rotation }: Frame, px: number) {
  return {
    left: x * px,
    top: y * px,
    width: w * px,
    height: h * px,
    transform: rotation === 0 ? undefined : `rotate(${rotation}deg)`,
  };
}

type SelectionFrameProps = {
  elements: readonly PageElement[];
  /** The elements of the group that the user has entered; empty if no group is entered. */
  group: readonly PageElement[];
  px: number;
  /** False when the selection cannot be changed because it is locked or the user is a viewer. */
  handled: boolean;
};

/**
 * Shows the frame around the selection, with resize handles and a rotation handle if `handled` is true. Without a
 * pointer, a single element can be changed in the same ways with the number fields of the settings panel.
 */
export function SelectionFrame({ elements, group, px, handled }: SelectionFrameProps) {
  const [only] = elements;
  const bounds = boundsOfAll(elements);
  if (!only || !bounds) return null;
  const around: Frame = elements.length === 1 ? only : frameOf(bounds);
  const groupBounds = boundsOfAll(group);
  const small = Math.min(around.w, around.h) * px < 24;
  return (
    <>
      {groupBounds && <div className={classes.group} style={boxStyle(frameOf(groupBounds), px)} />}
      {elements.length > 1 &&
        elements.map((element) => (
          <div key={element.id} className={classes.outline} style={boxStyle(element, px)} />
        ))}
      <div
        className={classes.selection}
        data-locked={elements.every(({ locked }) => locked)}
        style={boxStyle(around, px)}
      >
        {handled && (
          <>
            <div className={classes.rotator} data-rotate="" title="Rotate (hold Shift for steps of 15°)" />
            {(Object.keys(handles) as Handle[])
              .filter((handle) => !small || (handles[handle].x !== 0 && handles[handle].y !== 0))
              .map((handle) => (
                <div
                  key={handle}
                  className={classes.handle}
                  data-handle={handle}
                  style={{
                    left: percent(handles[handle].x),
                    top: percent(handles[handle].y),
                    cursor: cursorOf(handle, around.rotation),
                  }}
                />
              ))}
          </>
        )}
      </div>
    </>
  );
}
