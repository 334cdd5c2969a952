export type Side = 'mine' | 'theirs';

/** A part of a document that two versions changed in different ways. */
export type Conflict = {
  /**
   * `property`: both sides changed a property to different values. `removal`: one side removed a page, master, element,
   * style or color that the other side changed; the removing side's value is null. `document`: the versions cannot be
   * merged, so one of them is kept unchanged.
   */
  kind: 'property' | 'removal' | 'document';
  /** The list that `pageId` refers to. The id alone is ambiguous, because a page and a master can have the same id. */
  list: 'pages' | 'masters' | null;
  /** The id of a page or master. Null, like `list`, for a conflict that concerns neither a page nor a master. */
  pageId: string | null;
  elementId: string | null;
  /**
   * Null for a removed page, master or element, and for the kind `document`. Otherwise the name of a field. In the
   * cover, the contents, styles and colors, the name has a prefix, as in `cover.title` and `styles.<id>.font`.
   * `styles.<id>` and `colors.<id>` stand for a style or color that one side removed. Fields that only make sense
   * together share a name: `imageId` and `path` share `image`; the format and the custom size share `format`; and a
   * color and the id of its named color share the name of the color field. If the number of a table's columns changed,
   * its columns and rows share `table`.
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
