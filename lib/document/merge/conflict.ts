export type Side = 'mine' | 'theirs';

/** A place where two versions of a document changed the same thing in different ways. */
export type Conflict = {
  /**
   * `property`: both changed it to different values. `removal`: one side removed a page or an element that the other one
   * changed; its value there is null. `document`: the versions cannot be merged, so one of them is kept as a whole.
   */
  kind: 'property' | 'removal' | 'document';
  /** Null for the settings of the document. */
  pageId: string | null;
  elementId: string | null;
  /** Fields that only make sense together have one name: `image` (its id and path) and `table` (columns and rows). */
  property: string | null;
  mine: unknown;
  theirs: unknown;
  /** The side that is kept unless someone decides otherwise: that which removed nothing, or else mine. */
  keeps: Side;
};

export type Choose = (conflict: Conflict) => Side;

/** Identifies a conflict among those of one merge. */
export function conflictKey({ kind, pageId, elementId, property }: Conflict): string {
  return JSON.stringify([kind, pageId, elementId, property]);
}
