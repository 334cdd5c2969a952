export type Side = 'mine' | 'theirs';

/** A part of a document that two versions changed in different ways. */
export type Conflict = {
  /**
   * `property`: both sides changed a property to different values. `removal`: one side removed a page, master, element,
   * style or color that the other side changed; the removing side's value is null. `document`: the versions cannot be
   * merged, so one of them is kept unchanged.
   */
  kind: 'property' | 'removal' | 'document';
  /** The list that contains the item `pageId`, because a page and a master can have the same id. */
  list: 'pages' | 'masters' | null;
  /** Null, like `list`, for a conflict outside of pages and masters. */
  pageId: string | null;
  elementId: string | null;
  /**
   * Null for a removed page, master or element, and for the kind `document`. Otherwise the name of a field, with a
   * prefix in the cover, the contents, styles and colors, as in `cover.title` and `styles.<id>.font`. `styles.<id>` and
   * `colors.<id>` stand for a style or color that one side removed. Fields that only make sense together share a name:
   * `image` for `imageId` and `path`; `format` for the format and the custom size; `table` for columns and rows if
   * their number of columns changed; and the color field for a color and the id of its named color.
   */
  property: string | null;
  mine: unknown;
  theirs: unknown;
  /**
   * The side to keep by default. For a removal, this is the side that did not remove the item; otherwise it is `mine`.
   */
  keeps: Side;
};

export type Choose = (conflict: Conflict) => Side;

/** Returns a key that identifies a conflict within one merge. */
export function conflictKey({ kind, list, pageId, elementId, property }: Conflict): string {
  return JSON.stringify([kind, list, pageId, elementId, property]);
}
