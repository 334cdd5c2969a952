/** Content of a page or form in which everything painted is either tagged or marked as an artifact. */
export type MarkedContent = {
  content: string;
  /** Ids of the tagged content that became an artifact because it paints only boxes and lines. */
  artifacts: Set<number>;
};

// Chromium writes one operator per line, and strings never contain a line break. Marked content without an id only
// gives a glyph's replacement text, for example a soft hyphen. Such content can be nested in tagged content.
const MARK = /^(?:\/\w+ <<\/MCID (\d+) >>BDC|(\/Span<<\/ActualText .*BDC)|EMC|\/(\w+) Do)(?:\n|$)/gm;
const PAINTS = /(?:^|\s)(?:f\*?|F|S|s|[Bb]\*?|sh|Do|Tj|TJ)$/m;
/** Matches operators that paint text or images. */
const PAINTS_CONTENT = /(?:^|\s)(?:Do|Tj|TJ)$/m;

type Piece = { painted: string; tag: string; id: number | null };

/** Splits content at its tags. A form with its own tags becomes a separate piece, unless it is in tagged content. */
function piecesOf(content: string, forms: ReadonlySet<string>): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let open: Pick<Piece, 'tag' | 'id'> = { tag: '', id: null };
  let isReplaced = false;
  for (const { 0: mark, 1: id, 2: replacement, 3: form, index } of content.matchAll(MARK)) {
    if (replacement !== undefined || isReplaced) {
      isReplaced = replacement !== undefined;
      continue;
    }
    if (form !== undefined && (open.id !== null || !forms.has(form))) continue;
    pieces.push({ ...open, painted: content.slice(from, index) });
    if (form !== undefined) pieces.push({ tag: mark, id: null, painted: '' });
    open = id === undefined ? { tag: '', id: null } : { tag: mark, id: Number(id) };
    from = index + mark.length;
  }
  return [...pieces, { ...open, painted: content.slice(from) }];
}

/**
 * Marks artifacts (ISO 32000-1, 14.8.2.2) in the content of a page or form. PDF/UA requires that everything painted
 * outside of a tag is an artifact. Backgrounds and table lines also become artifacts, although Chromium tags them as
 * content. `forms` contains the names of form XObjects with their own tags. These forms are not marked as artifacts.
 */
export function markArtifacts(content: string, forms: ReadonlySet<string> = new Set()): MarkedContent {
  const tagged = new Set<number>();
  const artifacts = new Set<number>();
  const marked: string[] = [];
  let isArtifact = false;
  const close = () => {
    if (isArtifact) marked.push('EMC\n');
    isArtifact = false;
  };
  for (const { painted, tag, id } of piecesOf(content, forms)) {
    if (id === null && tag !== '') {
      close();
      marked.push(tag);
      continue;
    }
    const paints = PAINTS.test(painted);
    if (id !== null && (!paints || PAINTS_CONTENT.test(painted))) {
      close();
      tagged.add(id);
      marked.push(tag, painted, painted === '' || painted.endsWith('\n') ? 'EMC\n' : '\nEMC\n');
      continue;
    }
    if (id !== null) artifacts.add(id);
    if (paints && !isArtifact) marked.push('/Artifact BMC\n');
    isArtifact ||= paints;
    marked.push(painted);
  }
  if (isArtifact && !marked.at(-1)?.endsWith('\n')) marked.push('\n');
  close();
  return { content: marked.join(''), artifacts: new Set([...artifacts].filter((id) => !tagged.has(id))) };
}
