import { describe, expect, test } from 'vitest';
import type { EditorDocument } from '@/components/editor/editor-change';
import {
  type Autosave,
  type AutosaveDependencies,
  createAutosave,
  type Merged,
  type Unsaved,
} from '@/components/editor/saving/autosave';
import { RETRY_MS, SETTLE_MS, saveStatus, startAutosave } from '@/components/editor/saving/autosave-state';
import { describeError } from '@/components/feedback/describe-error';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { ApiError, OfflineError } from '@/lib/http/client';
import { documentOf, first, second, third } from '@/tests/components/support/titled-documents';

/** Creates an autosave with a draft store, a manual clock, and a fake server that stores one document. */
function setUp(start: ProjectDocument, sentBefore: EditorDocument[] = []) {
  const server = { ...start, version: 3 };
  const timers = new Set<{ at: number; then: () => void }>();
  const log: string[] = [];
  let now = 0;
  let draft: Unsaved | null = null;
  let isBusy = false;
  const adopted: Merged[] = [];
  let fault: ((call: 'send' | 'read') => unknown) | null = null;
  const ways: AutosaveDependencies = {
    send: async (document, version) => {
      log.push(`send over ${version}`);
      const error = fault?.('send');
      if (error) throw error;
      if (version !== server.version) throw new ApiError(409, {});
      Object.assign(server, document, { version: version + 1 });
      return server.version;
    },
    read: async () => {
      const error = fault?.('read');
      if (error) throw error;
      return projectDocument.parse(structuredClone(server));
    },
    adopt: (merged) => {
      adopted.push(merged);
    },
    isBusy: () => isBusy,
    keepDraft: (unsaved) => {
      draft = unsaved;
    },
    dropDraft: () => {
      draft = null;
    },
    now: () => now,
    wait: (ms, then) => {
      const timer = { at: now + ms, then };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const autosave: Autosave = createAutosave(startAutosave(3, start, start), ways, sentBefore);
  return {
    autosave,
    ways,
    server,
    log,
    adopted,
    draft: () => draft,
    becomesBusy: (busy: boolean) => {
      isBusy = busy;
    },
    fails: (next: typeof fault) => {
      fault = next;
    },
    /** Advances the clock by `ms` and runs the timers that are due. */
    pass: async (ms: number) => {
      const end = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.then();
      }
      now = end;
    },
  };
}

/** Loses the response to the next save. The server stores `sent`, which must be the document that this save sends. */
function losesResponse({ server, fails }: ReturnType<typeof setUp>, sent: ProjectDocument) {
  let lost = false;
  fails(() => {
    if (lost) return null;
    lost = true;
    Object.assign(server, sent, { version: server.version + 1 });
    return new OfflineError();
  });
}

describe('createAutosave', () => {
  test('several changes are sent in one save and kept as a draft until then', async () => {
    const { autosave, server, log, draft, pass } = setUp(first);
    autosave.changed(second);
    autosave.changed(third);
    await pass(500);
    expect(draft()).toEqual({ version: 3, base: first, document: third, sent: [] });
    expect(log).toEqual([]);
    await pass(1000);
    expect(log).toEqual(['send over 3']);
    expect(server.pages).toEqual(third.pages);
    expect(draft()).toBeNull();
    expect(saveStatus(autosave.get())).toBe('saved');
  });

  test('autosave keeps retrying and keeps the draft while the server is unavailable', async () => {
    const { autosave, server, draft, fails, pass } = setUp(first);
    fails(() => new OfflineError());
    autosave.changed(second);
    await pass(20_000);
    expect(saveStatus(autosave.get())).toBe('offline');
    expect(draft()).toEqual({ version: 3, base: first, document: second, sent: [] });
    fails(null);
    autosave.online();
    await pass(0);
    expect(server.pages).toEqual(second.pages);
  });

  test('a save whose response was lost is recognized on the server and causes no conflict', async () => {
    const here = setUp(first);
    const { autosave, server, pass } = here;
    losesResponse(here, second);
    autosave.changed(second);
    await pass(20_000);
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(autosave.get().version).toBe(4);
    expect(server.version).toBe(4);
  });

  test('a save whose response was lost is recognized even after further changes', async () => {
    const here = setUp(first);
    const { autosave, server, draft, pass } = here;
    losesResponse(here, second);
    autosave.changed(second);
    await pass(SETTLE_MS);
    autosave.changed(third);
    await pass(20_000);
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(server).toMatchObject({ version: 5, pages: third.pages });
    expect(draft()).toBeNull();
  });

  test('a save whose response was lost is recognized even after many failed attempts', async () => {
    const { autosave, server, fails, pass } = setUp(first);
    let tries = 0;
    fails(() => {
      tries += 1;
      if (tries === 1) Object.assign(server, second, { version: server.version + 1 });
      return tries <= 12 ? new OfflineError() : null;
    });
    autosave.changed(second);
    await pass(SETTLE_MS);
    autosave.changed(third);
    await pass(15 * RETRY_MS);
    expect(tries).toBeGreaterThan(12);
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(server).toMatchObject({ version: 5, pages: third.pages });
  });

  test('a draft remembers the documents sent before it, so that a crash causes no conflict', async () => {
    const here = setUp(first);
    losesResponse(here, second);
    here.autosave.changed(second);
    await here.pass(SETTLE_MS);
    here.autosave.changed(third);
    await here.pass(500);
    expect(here.draft()).toEqual({ version: 3, base: first, document: third, sent: [second] });
    // After the crash, a new tab starts from the draft.
    const { autosave, server, pass } = setUp(first, [second, third]);
    Object.assign(server, second, { version: 4 });
    autosave.changed(third);
    await pass(20_000);
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(server).toMatchObject({ version: 5, pages: third.pages });
  });

  test('an undone change is sent if a failed save may have stored it', async () => {
    for (const arrives of [true, false]) {
      const here = setUp(first);
      const { autosave, server, fails, pass } = here;
      if (arrives) losesResponse(here, second);
      else fails(() => new OfflineError());
      autosave.changed(second);
      await pass(SETTLE_MS);
      autosave.changed(first);
      expect(saveStatus(autosave.get())).toBe('offline');
      if (!arrives) fails(null);
      await autosave.flush();
      expect(saveStatus(autosave.get())).toBe('saved');
      expect(server.pages).toEqual(first.pages);
    }
  });

  test('a version conflict is reported only after the newer version has been read', async () => {
    const { autosave, server, fails, pass } = setUp(first);
    Object.assign(server, third, { version: 7 });
    fails((call) => (call === 'read' ? new OfflineError() : null));
    autosave.changed(second);
    await pass(SETTLE_MS);
    expect(saveStatus(autosave.get())).toBe('offline');
    fails(null);
    await pass(RETRY_MS);
    expect(saveStatus(autosave.get())).toBe('conflict');
  });

  test('a conflict names who saved the other version, whether this is known before or only after the save', async () => {
    for (const isKnownFirst of [true, false]) {
      const { autosave, server, becomesBusy, pass } = setUp(first);
      Object.assign(server, third, { version: 7 });
      // While the user is dragging something, a newer version is not loaded. The next save still detects the conflict.
      becomesBusy(true);
      autosave.changed(second);
      if (isKnownFirst) autosave.onVersion(7, 'ada');
      await pass(10_000);
      const { trouble } = autosave.get();
      expect(trouble).toMatchObject({ kind: 'conflict', savedBy: isKnownFirst ? 'ada' : null });
      autosave.onVersion(6, 'bob');
      autosave.onVersion(7, 'ada');
      expect(autosave.get().trouble).toEqual({ ...trouble, savedBy: 'ada' });
    }
  });

  test('a conflict is resolved by overwriting with mine or by taking theirs', async () => {
    for (const choice of ['mine', 'theirs'] as const) {
      const { autosave, server, draft, pass } = setUp(first);
      Object.assign(server, third, { version: 7 });
      autosave.changed(second);
      await pass(10_000);
      expect(saveStatus(autosave.get())).toBe('conflict');
      expect(draft()).toEqual({ version: 3, base: first, document: second, sent: [] });
      expect(server.pages).toEqual(third.pages);
      if (choice === 'mine') await autosave.keepMine();
      else expect((await autosave.takeTheirs()).pages).toEqual(third.pages);
      await pass(0);
      expect(saveStatus(autosave.get())).toBe('saved');
      expect(server.pages).toEqual((choice === 'mine' ? second : third).pages);
      expect(draft()).toBeNull();
    }
  });

  test('changes of different pages are merged and saved without a question', async () => {
    const base = documentOf('one', 'two');
    const { autosave, server, adopted, draft, log, pass } = setUp(base);
    const theirs = documentOf('one', 'theirs');
    Object.assign(server, theirs, { version: 7 });
    autosave.changed(documentOf('mine', 'two'));
    await pass(SETTLE_MS);
    const merged = documentOf('mine', 'theirs');
    expect(server).toMatchObject({ version: 8, pages: merged.pages });
    expect(log).toEqual(['send over 3', 'send over 7']);
    expect(adopted).toMatchObject([
      { base, theirs: { pages: theirs.pages }, document: { pages: merged.pages } },
    ]);
    expect(autosave.get()).toMatchObject({ version: 8, joined: { savedBy: null } });
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(draft()).toBeNull();
  });

  test('merged changes are kept as a draft of the newer version until they are saved', async () => {
    const { autosave, server, draft, fails, pass } = setUp(documentOf('one', 'two'));
    const theirs = documentOf('one', 'theirs');
    Object.assign(server, theirs, { version: 7 });
    autosave.onVersion(7, 'ada');
    fails((call) => (call === 'send' ? new OfflineError() : null));
    autosave.changed(documentOf('mine', 'two'));
    await pass(SETTLE_MS);
    expect(saveStatus(autosave.get())).toBe('offline');
    expect(draft()).toMatchObject({
      version: 7,
      base: { pages: theirs.pages },
      document: { pages: documentOf('mine', 'theirs').pages },
    });
  });

  test('changes that are made while the newer version is read are merged too', async () => {
    const base = documentOf('one', 'two', 'three');
    const { autosave, server, fails, pass } = setUp(base);
    Object.assign(server, documentOf('one', 'theirs', 'three'), { version: 7 });
    fails((call) => {
      if (call === 'read') autosave.changed(documentOf('mine', 'two', 'later'));
      return null;
    });
    autosave.changed(documentOf('mine', 'two', 'three'));
    await pass(SETTLE_MS);
    expect(server.pages).toEqual(documentOf('mine', 'theirs', 'later').pages);
    expect(autosave.conflicts()).toEqual([]);
  });

  test('only a part that both sides changed is a conflict, and each conflict is decided separately', async () => {
    const { autosave, server, pass } = setUp(documentOf('one', 'two', 'three', 'four'));
    Object.assign(server, documentOf('A', 'B', 'three', 'D'), { version: 7 });
    autosave.changed(documentOf('a', 'b', 'c', 'four'));
    await pass(SETTLE_MS);
    expect(autosave.conflicts()).toMatchObject([
      { pageId: 'p0', property: 'title', mine: 'a', theirs: 'A' },
      { pageId: 'p1', property: 'title', mine: 'b', theirs: 'B' },
    ]);
    expect(server.version).toBe(7);
    // Another user saves version 8 before this user decides. After the decision, version 8 is merged.
    Object.assign(server, documentOf('A', 'B', 'three', 'E'), { version: 8 });
    autosave.resolve(({ pageId }) => (pageId === 'p1' ? 'theirs' : 'mine'));
    await pass(0);
    expect(server).toMatchObject({ version: 9, pages: documentOf('a', 'B', 'c', 'E').pages });
    expect(saveStatus(autosave.get())).toBe('saved');
    expect(autosave.conflicts()).toEqual([]);
  });

  test("another user's version is loaded immediately, or once the user is no longer busy", async () => {
    const { autosave, server, adopted, log, becomesBusy, pass } = setUp(first);
    Object.assign(server, second, { version: 4 });
    autosave.onVersion(4, 'ada');
    await pass(0);
    expect(adopted).toMatchObject([{ document: { pages: second.pages } }]);
    expect(autosave.get()).toMatchObject({ version: 4, joined: { savedBy: 'ada' } });
    autosave.onVersion(4, 'ada');
    autosave.onVersion(3, 'ada');
    becomesBusy(true);
    Object.assign(server, third, { version: 5 });
    autosave.onVersion(5, 'bob');
    await pass(0);
    expect(adopted).toHaveLength(1);
    becomesBusy(false);
    autosave.changed(autosave.get().current);
    await pass(0);
    expect(autosave.get()).toMatchObject({ version: 5, current: { pages: third.pages } });
    expect(log).toEqual([]);
  });

  test('a version that is saved while the one before it is being read is loaded too', async () => {
    const { autosave, ways, server, adopted, pass } = setUp(first);
    const { read } = ways;
    ways.read = async () => {
      ways.read = read;
      Object.assign(server, second, { version: 4 });
      const older = await read();
      Object.assign(server, third, { version: 5 });
      autosave.onVersion(5, 'b');
      return older;
    };
    autosave.onVersion(4, 'a');
    await pass(0);
    expect(autosave.get().version).toBe(5);
    expect(adopted.map(({ theirs }) => theirs.pages)).toEqual([second.pages, third.pages]);
  });

  test("another user's version waits for unsaved changes, which are then merged before they are sent", async () => {
    const { autosave, server, adopted, log, pass } = setUp(documentOf('one', 'two'));
    Object.assign(server, documentOf('one', 'theirs'), { version: 4 });
    autosave.changed(documentOf('mine', 'two'));
    autosave.onVersion(4, 'ada');
    await pass(0);
    expect(adopted).toEqual([]);
    await pass(SETTLE_MS);
    expect(log).toEqual(['send over 4']);
    expect(server.pages).toEqual(documentOf('mine', 'theirs').pages);
    expect(autosave.get()).toMatchObject({ version: 5, joined: { savedBy: 'ada' } });
  });

  test('a draft of an older version is merged with the newer one, and is a conflict if its base is unknown', async () => {
    const newer = documentOf('one', 'theirs');
    for (const base of [documentOf('one', 'two'), null]) {
      const { server, ways, pass } = setUp(newer);
      Object.assign(server, newer, { version: 7 });
      const autosave = createAutosave(startAutosave(3, base, documentOf('mine', 'two')), ways);
      await pass(0);
      expect(saveStatus(autosave.get())).toBe(base ? 'saved' : 'conflict');
      expect(server.pages).toEqual((base ? documentOf('mine', 'theirs') : newer).pages);
      expect(autosave.conflicts().map(({ kind }) => kind)).toEqual(base ? [] : ['document']);
    }
  });

  test('a save into an archived project fails without a conflict, and the changes stay in the draft', async () => {
    const { autosave, draft, fails, pass } = setUp(first);
    const refusal = new ApiError(409, { code: 'project_closed', detail: 'The project is archived.' });
    fails(() => refusal);
    autosave.changed(second);
    await expect(autosave.flush()).rejects.toBe(refusal);
    await pass(60_000);
    expect(saveStatus(autosave.get())).toBe('failed');
    expect(draft()?.document).toBe(second);
  });

  test('flush resolves when everything is saved and rejects when saving fails', async () => {
    const { autosave, server, log, fails, pass } = setUp(first);
    await autosave.flush();
    expect(log).toEqual([]);
    autosave.changed(second);
    await autosave.flush();
    expect(server.pages).toEqual(second.pages);
    const refusal = new ApiError(400, { detail: 'Page 1: no.' });
    fails(() => refusal);
    autosave.changed(third);
    await expect(autosave.flush()).rejects.toBe(refusal);
    fails(null);
    Object.assign(server, first, { version: 9 });
    await expect(autosave.flush()).rejects.toThrow('newer version');
    // The message that the preview and export dialogs show.
    const message = await autosave.flush().catch(describeError);
    expect(message).toMatch(/^Someone else saved a newer version of this document/);
    await pass(0);
  });
});
