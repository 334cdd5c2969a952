import { newKey } from '@/hooks/new-key';
import { createReducerStore, type ReducerStore } from '@/hooks/reducer-store';
import { createUploadQueue, type Upload } from '@/hooks/upload-queue';
import { ApiError, OfflineError } from '@/lib/http/client';
import { isPdfName } from './check-file';
import { describeUploadError, isDuplicateFile } from './describe-upload-error';
import { guessFrom, type KnownNames, pathParts } from './guess-facts';
import {
  confirmedDuplicate,
  emptyUploadTray,
  type FoundMatch,
  isReady,
  type UploadFacts,
  type UploadFailure,
  type UploadItem,
  type UploadTrayAction,
  type UploadTrayState,
  uploadTrayReducer,
} from './upload-tray-state';

/** Maximum number of concurrent uploads. */
const MAX_SENDING = 2;
/**
 * The pauses before the automatic retries of an upload whose connection was lost. If all retries fail, the file waits
 * for the user or the next `online` event.
 */
const RESUME_PAUSES_MS = [1_000, 4_000, 15_000, 60_000];

/** Loads the code that sends a file. It is loaded on demand, because this module is part of the app layout. */
const loadSender = () => import('./send-spec-file');

export type SpecUploads = Pick<ReducerStore<UploadTrayState, UploadTrayAction>, 'get' | 'subscribe'> & {
  /**
   * Adds files and returns how many were added. Skips files that come from a folder and are not PDFs. Guesses brands,
   * areas and properties from the files' paths.
   */
  add: (files: File[], names: KnownNames) => number;
  edit: (id: string, facts: Partial<UploadFacts>) => void;
  applyToAll: (facts: Partial<UploadFacts>) => void;
  /** Sets the specs that files are probably newer versions of. */
  setMatches: (matches: FoundMatch[]) => void;
  /** Marks files as new versions of their matches, or as new specs. */
  chooseVersion: (ids: string[], isNewVersion: boolean) => void;
  /** If a file is ready, queues it for its first upload or for a retry. */
  send: (id: string) => void;
  sendAll: () => void;
  /** Resends the files whose upload was interrupted. */
  resume: () => void;
  keepAnyway: (id: string) => void;
  cancel: (id: string) => void;
  remove: (id: string) => void;
  clearFinished: () => void;
  /** Aborts all uploads. */
  stop: () => void;
};

function uploadOf({ id, idempotencyKey, file, ...facts }: UploadItem): Upload {
  const form = new FormData();
  // Append the fields first, so that the server has them before the file arrives.
  form.set('brandName', facts.brandName);
  form.set('area', facts.area);
  if (facts.propertyName.trim()) form.set('propertyName', facts.propertyName);
  form.set('onDuplicate', facts.onDuplicate);
  if (facts.isNewVersion && facts.match) form.set('replaces', facts.match.specUploadId);
  form.set('file', file, file.name);
  return { id, idempotencyKey, form };
}

/**
 * Returns a file's path, starting with the folder that was chosen or dropped. The path of a file that was chosen or
 * dropped by itself contains only its name.
 */
const pathOf = (file: File) =>
  ('path' in file && typeof file.path === 'string' && file.path) || file.webkitRelativePath || file.name;

/**
 * Creates the store of the spec PDFs that a user is uploading, with their form fields and results. Its functions never
 * change identity, so an edit or a progress update re-renders only the affected row.
 */
export function createSpecUploads(): SpecUploads {
  const { get, subscribe, dispatch } = createReducerStore(uploadTrayReducer, emptyUploadTray);
  const queue = createUploadQueue({
    concurrency: MAX_SENDING,
    send: async (upload, options) => (await loadSender()).sendSpecFile(upload, options),
    onEvent: (event) => {
      if (event.type !== 'failed') return dispatch(event);
      dispatch({ type: 'failed', id: event.id, ...failureOf(event.error) });
      if (event.error instanceof OfflineError) resumeLater(event.id);
    },
  });
  const send = (items: UploadItem[]) => {
    const ready = items.filter(isReady);
    dispatch({ type: 'queued', ids: ready.map(({ id }) => id) });
    queue.add(ready.map(uploadOf));
  };
  const itemsWith = (id: string) => get().items.filter((item) => item.id === id);
  const resume = (items: UploadItem[]) => send(items.filter(({ status }) => status === 'interrupted'));

  /** The number of automatic retries of each file since the last `online` event. */
  const resumes = new Map<string, number>();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  /**
   * Resends a file after a pause. Does nothing if the browser is offline or if all automatic retries have been used. In
   * these cases, the next `online` event resends the file.
   */
  const resumeLater = (id: string) => {
    const count = resumes.get(id) ?? 0;
    if (!navigator.onLine || count === RESUME_PAUSES_MS.length) return;
    resumes.set(id, count + 1);
    const timer = setTimeout(() => {
      timers.delete(timer);
      resume(itemsWith(id));
    }, RESUME_PAUSES_MS[count]);
    timers.add(timer);
  };

  return {
    get,
    subscribe,
    add: (files, names) => {
      const guess = guessFrom(names);
      const pdfs = files.filter((file) => isPdfName(file.name) || pathParts(pathOf(file)).length === 1);
      const added = pdfs.map((file) => ({ id: newKey(), key: newKey(), file, guess: guess(pathOf(file)) }));
      if (added.length > 0) {
        dispatch({ type: 'added', files: added });
        void loadSender().catch(() => undefined);
      }
      return added.length;
    },
    edit: (id, facts) => dispatch({ type: 'edited', id, facts, key: newKey() }),
    applyToAll: (facts) => {
      const keys = Object.fromEntries(get().items.map(({ id }) => [id, newKey()]));
      dispatch({ type: 'applied-to-all', facts, keys });
    },
    setMatches: (matches) => dispatch({ type: 'matched', matches }),
    chooseVersion: (ids, isNewVersion) => {
      const keys = Object.fromEntries(ids.map((id) => [id, newKey()]));
      dispatch({ type: 'version-chosen', keys, isNewVersion });
    },
    send: (id) => send(itemsWith(id)),
    sendAll: () => send(get().items),
    resume: () => {
      resumes.clear();
      resume(get().items);
    },
    keepAnyway: (id) => {
      const key = newKey();
      const uploads = itemsWith(id).map((item) => uploadOf(confirmedDuplicate(item, key)));
      dispatch({ type: 'kept-anyway', id, key });
      queue.add(uploads);
    },
    cancel: (id) => {
      queue.drop(id);
      dispatch({ type: 'canceled', id });
    },
    remove: (id) => {
      queue.drop(id);
      dispatch({ type: 'removed', id });
    },
    clearFinished: () => dispatch({ type: 'finished-cleared' }),
    stop: () => {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
      queue.stop();
    },
  };
}

function failureOf(error: unknown): UploadFailure {
  if (error instanceof OfflineError) {
    const message = navigator.onLine
      ? 'The connection was lost before the server responded.'
      : 'You are offline. The upload continues when you are online again.';
    return { status: 'interrupted', message };
  }
  const message = describeUploadError(error);
  if (!(error instanceof ApiError)) return { status: 'interrupted', message };
  if (isDuplicateFile(error)) {
    const existing = error.problem.specUploadId;
    return {
      status: 'duplicate',
      message,
      specUploadId: typeof existing === 'string' ? existing : undefined,
    };
  }
  if (error.status >= 500 || error.status === 401 || error.status === 408)
    return { status: 'interrupted', message };
  const hopeless = error.code === 'invalid_pdf' || error.status === 413;
  return { status: hopeless ? 'unsendable' : 'refused', message };
}
