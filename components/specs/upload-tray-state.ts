import type { UploadEvent } from '@/hooks/upload-queue';
import type { SpecMatchingFile } from '@/lib/specs/schema';
import { refusalOf } from './check-file';

/**
 * - `draft`: new, canceled, or edited after a failure
 * - `queued`: waiting for a free slot or for a busy server
 * - `sending`: being uploaded
 * - `sent`: stored by the server
 * - `duplicate`: the server already has the same file; the user decides whether to upload it anyway
 * - `interrupted`: no usable response, a server error, a timeout or an expired session; can be sent again unchanged
 * - `refused`: rejected by the server; can be edited and sent again
 * - `unsendable`: can never be sent
 */
export type UploadStatus =
  | 'draft'
  | 'queued'
  | 'sending'
  | 'sent'
  | 'duplicate'
  | 'interrupted'
  | 'refused'
  | 'unsendable';

export type UploadFacts = { brandName: string; area: string; propertyName: string };

export type UploadItem = UploadFacts & {
  id: string;
  file: File;
  status: UploadStatus;
  /**
   * Stays the same across retries of the same request, so that a retry after a lost response does not create another
   * spec.
   */
  idempotencyKey: string;
  onDuplicate: 'refuse' | 'keep';
  /** The fraction of bytes sent, 0 to 1. */
  progress: number;
  message: string | null;
  /** The id of the created spec. For a duplicate, the id of the existing spec. */
  specUploadId: string | null;
  /** The fields that were guessed from the path of the file and not edited since. */
  guessed: readonly (keyof UploadFacts)[];
  /** The spec that the file is probably a newer version of; null if none was found, undefined before the lookup. */
  match?: SpecMatchingFile | null;
  /** Whether the file is uploaded as the next version of `match`. */
  isNewVersion: boolean;
  /**
   * True if the upload failed and has not been started again. Stays true when the user edits the brand, area or
   * property. Also true for a file that can never be sent.
   */
  needsAttention: boolean;
};

export type UploadTrayState = {
  items: UploadItem[];
  announcement: { text: string } | null;
};

/** A file to add, with the facts guessed from its path. */
export type NewFile = { id: string; key: string; file: File; guess?: Partial<UploadFacts> };

/**
 * The result of a lookup for a file with these facts. `match` is the spec that the file is probably a newer version of,
 * or null if none was found.
 */
export type FoundMatch = { id: string; facts: UploadFacts; match: SpecMatchingFile | null };

/** The status and message of a file whose upload failed. For a duplicate, also the id of the existing spec. */
export type UploadFailure = {
  status: 'duplicate' | 'interrupted' | 'refused' | 'unsendable';
  message: string;
  specUploadId?: string;
};

export type UploadTrayAction =
  | { type: 'added'; files: NewFile[] }
  | { type: 'edited'; id: string; facts: Partial<UploadFacts>; key: string }
  | { type: 'applied-to-all'; facts: Partial<UploadFacts>; keys: Record<string, string> }
  | { type: 'matched'; matches: FoundMatch[] }
  | { type: 'version-chosen'; keys: Record<string, string>; isNewVersion: boolean }
  | { type: 'queued'; ids: string[] }
  | { type: 'kept-anyway'; id: string; key: string }
  | { type: 'canceled'; id: string }
  | Exclude<UploadEvent<{ specUploadId: string }>, { type: 'failed' }>
  | ({ type: 'failed'; id: string } & UploadFailure)
  | { type: 'removed'; id: string }
  | { type: 'finished-cleared' };

export const emptyUploadTray: UploadTrayState = { items: [], announcement: null };

/** Returns whether brand, area and property can still be edited. */
export function isEditable({ status }: UploadItem): boolean {
  return status === 'draft' || status === 'refused' || status === 'interrupted' || status === 'duplicate';
}

/**
 * Returns whether the file can be sent: it has a brand and an area, and is a draft or an upload that can be retried.
 */
export function isReady(item: UploadItem): boolean {
  const open = item.status === 'draft' || item.status === 'interrupted' || item.status === 'refused';
  return open && item.brandName !== '' && item.area !== '';
}

/** Returns whether nothing is left to do: the file is uploaded or can never be sent. */
export function isFinished({ status }: UploadItem): boolean {
  return status === 'sent' || status === 'unsendable';
}

/** Returns whether uploads are queued or in progress. Leaving the site would lose them. */
export function isBusy({ items }: UploadTrayState): boolean {
  return items.some(({ status }) => status === 'queued' || status === 'sending');
}

/** Counts the files and bytes of queued, running and completed uploads, and how many of each have been sent. */
export function uploadProgress(items: readonly UploadItem[]) {
  const started = items.filter(({ status }) => ['queued', 'sending', 'sent'].includes(status));
  const bytes = (of: (item: UploadItem) => number) => started.reduce((sum, item) => sum + of(item), 0);
  return {
    files: started.length,
    sentFiles: started.filter(({ status }) => status === 'sent').length,
    bytes: bytes(({ file }) => file.size),
    sentBytes: bytes(({ file, progress }) => file.size * progress),
  };
}

/** Returns the tray's state after an action. Actions provide new ids and idempotency keys, so the function is pure. */
export function uploadTrayReducer(state: UploadTrayState, action: UploadTrayAction): UploadTrayState {
  switch (action.type) {
    case 'added':
      return addFiles(state, action.files);
    case 'edited':
      return change(state, action.id, (item) => edit(item, action.facts, action.key));
    case 'applied-to-all':
      return {
        ...state,
        items: state.items.map((item) =>
          edit(item, action.facts, action.keys[item.id] ?? item.idempotencyKey),
        ),
      };
    case 'matched':
      return { ...state, items: state.items.map((item) => withMatch(item, action.matches)) };
    case 'version-chosen':
      return {
        ...state,
        items: state.items.map((item) => chooseVersion(item, action.isNewVersion, action.keys[item.id])),
      };
    case 'queued':
      return {
        ...state,
        items: state.items.map((item) =>
          action.ids.includes(item.id) && isReady(item)
            ? { ...item, status: 'queued', message: null, progress: 0, needsAttention: false }
            : item,
        ),
      };
    case 'kept-anyway':
      return change(state, action.id, (item) => confirmedDuplicate(item, action.key));
    case 'started':
      return change(state, action.id, (item) => ({ ...item, status: 'sending', progress: 0, message: null }));
    case 'progressed':
      return change(state, action.id, (item) =>
        item.status === 'sending' ? { ...item, progress: action.progress } : item,
      );
    case 'sent':
      return announce(
        withoutReplaced(
          change(state, action.id, (item) => ({
            ...item,
            status: 'sent',
            progress: 1,
            message: null,
            specUploadId: action.result.specUploadId,
          })),
          action.id,
        ),
        action.id,
        'was uploaded.',
      );
    case 'canceled':
      return change(state, action.id, (item) =>
        item.status === 'queued' || item.status === 'sending'
          ? { ...item, status: 'draft', progress: 0 }
          : item,
      );
    case 'postponed':
      return change(state, action.id, (item) => ({
        ...item,
        status: 'queued',
        progress: 0,
        message: 'The server is busy. The upload continues in a moment.',
      }));
    case 'failed':
      return announce(
        change(state, action.id, (item) => ({
          ...item,
          status: action.status,
          progress: 0,
          message: action.message,
          specUploadId: action.specUploadId ?? null,
          needsAttention: true,
          // The match may have been replaced by a newer version, so look it up again.
          ...(action.status === 'refused' && { match: undefined, isNewVersion: false }),
        })),
        action.id,
        `was not uploaded. ${action.message}`,
      );
    case 'removed':
      return { ...state, items: state.items.filter(({ id }) => id !== action.id) };
    case 'finished-cleared':
      return { ...state, items: state.items.filter((item) => !isFinished(item)) };
  }
}

const factFields = ['brandName', 'area', 'propertyName'] as const;

/**
 * Returns the facts of `item` to reuse for files that are added later. Such files usually belong to the same brand,
 * area and property. Omits facts that were guessed from the path of `item`, because they say nothing about files in
 * other folders.
 */
function sureFactsOf(item: UploadItem | undefined): UploadFacts {
  const sure = (field: keyof UploadFacts) => (item && !item.guessed.includes(field) ? item[field] : '');
  return { brandName: sure('brandName'), area: sure('area'), propertyName: sure('propertyName') };
}

function addFiles(state: UploadTrayState, files: NewFile[]): UploadTrayState {
  const last = sureFactsOf(state.items.findLast(({ status }) => status !== 'unsendable'));
  const items = files.map(({ id, key, file, guess = {} }): UploadItem => {
    const refusal = refusalOf(file);
    const guessed = factFields.filter((field) => guess[field]);
    return {
      id,
      file,
      brandName: guess.brandName ?? last.brandName,
      area: guess.area ?? last.area,
      // A file with a guess probably comes from another folder and belongs to another property, so do not reuse the
      // previous file's property.
      propertyName: guessed.length > 0 ? (guess.propertyName ?? '') : last.propertyName,
      status: refusal ? 'unsendable' : 'draft',
      idempotencyKey: key,
      onDuplicate: 'refuse',
      progress: 0,
      message: refusal,
      specUploadId: null,
      guessed,
      isNewVersion: false,
      needsAttention: refusal !== null,
    };
  });
  const refused = items.filter(({ status }) => status === 'unsendable').length;
  const text = `${items.length - refused} added${refused ? `, ${refused} cannot be uploaded` : ''}.`;
  return { items: [...state.items, ...items], announcement: { text: `Files: ${text}` } };
}

/**
 * If the file is a duplicate, returns it with the status `queued`, so that it is uploaded despite the existing spec.
 * Otherwise returns it unchanged.
 */
export function confirmedDuplicate(item: UploadItem, key: string): UploadItem {
  if (item.status !== 'duplicate') return item;
  return {
    ...item,
    status: 'queued',
    onDuplicate: 'keep',
    idempotencyKey: key,
    message: null,
    specUploadId: null,
    needsAttention: false,
  };
}

function edit(item: UploadItem, facts: Partial<UploadFacts>, key: string): UploadItem {
  if (!isEditable(item)) return item;
  const next = { ...item, ...facts };
  if (haveSameFacts(next, item)) return item;
  // Changed form fields make this a different request, which needs another idempotency key. With the same key, the
  // server would reject this request if it had stored the previous one.
  return {
    ...next,
    guessed: item.guessed.filter((field) => !(field in facts)),
    status: 'draft',
    idempotencyKey: key,
    onDuplicate: 'refuse',
    message: null,
    specUploadId: null,
    match: undefined,
    isNewVersion: false,
  };
}

/** Returns whether two files have the same brand, area and property. */
export function haveSameFacts(one: UploadFacts, other: UploadFacts): boolean {
  return (
    one.brandName === other.brandName && one.area === other.area && one.propertyName === other.propertyName
  );
}

/**
 * Returns the file with the result of its lookup. Returns it unchanged if `matches` has no result for it, if it is no
 * longer editable, or if its facts were edited since the lookup started.
 */
function withMatch(item: UploadItem, matches: FoundMatch[]): UploadItem {
  const found = matches.find(({ id }) => id === item.id);
  if (!found || !isEditable(item) || !haveSameFacts(item, found.facts)) return item;
  return { ...item, match: found.match };
}

/**
 * If an uploaded file replaced a spec, clears the matches of all editable files that match this spec, so that these
 * matches are looked up again.
 */
function withoutReplaced(state: UploadTrayState, id: string): UploadTrayState {
  const sent = state.items.find((item) => item.id === id);
  const replaced = sent?.isNewVersion ? sent.match?.specUploadId : undefined;
  if (!replaced) return state;
  const items = state.items.map((item) =>
    isEditable(item) && item.match?.specUploadId === replaced
      ? { ...item, match: undefined, isNewVersion: false }
      : item,
  );
  return { ...state, items };
}

/** Marks the file as a new version of its match, or as a new spec. */
function chooseVersion(item: UploadItem, isNewVersion: boolean, key: string | undefined): UploadItem {
  if (!key || !item.match || !isEditable(item) || item.isNewVersion === isNewVersion) return item;
  // The choice makes this a different request, which needs another idempotency key, as in `edit`.
  return { ...item, isNewVersion, idempotencyKey: key, status: 'draft', message: null, specUploadId: null };
}

/** Returns the files that are ready to be sent and whose match has not been looked up yet. */
export function filesToMatch(items: readonly UploadItem[]): UploadItem[] {
  return items.filter((item) => item.match === undefined && item.status !== 'duplicate' && isReady(item));
}

function change(state: UploadTrayState, id: string, next: (item: UploadItem) => UploadItem): UploadTrayState {
  return { ...state, items: state.items.map((item) => (item.id === id ? next(item) : item)) };
}

function announce(state: UploadTrayState, id: string, text: string): UploadTrayState {
  const item = state.items.find((other) => other.id === id);
  return item ? { ...state, announcement: { text: `${item.file.name} ${text}` } } : state;
}
