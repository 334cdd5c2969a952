import { describe, expect, test } from 'vitest';
import { type ImageGenAction, type ImageGenState, openImageGen } from '@/hooks/image-gen/image-gen-state';
import type { Variant } from '@/lib/image-gen/schema';
import { apply, jobOf, listOf, messageOf, variantOf } from './support/image-gen-records';

describe('open conversation', () => {
  const read = (jobId: string, variants: Variant[] = [], at = 0): ImageGenAction => ({
    type: 'conversation-read',
    conversation: {
      job: jobOf(jobId, 'succeeded', 3),
      messages: [messageOf(jobId)],
      variants,
      nextCursor: null,
    },
    at,
  });

  test('a conversation that arrives after another job was opened is ignored', () => {
    const state = apply(
      openImageGen(),
      { type: 'selected', jobId: 'a' },
      { type: 'selected', jobId: 'b' },
      read('a'),
    );
    expect(state.current).toMatchObject({ jobId: 'b', messages: [], read: 'not-yet' });
  });

  test('opening the open job again keeps its conversation', () => {
    const state = apply(openImageGen(), { type: 'selected', jobId: 'a' }, read('a'));
    expect(apply(state, { type: 'selected', jobId: 'a' })).toBe(state);
    expect(state.current?.messages).toHaveLength(1);
  });

  test('signed URLs are kept until they are about to expire, so that images do not reload', () => {
    const MINUTE = 60_000;
    let state = apply(openImageGen(), { type: 'selected', jobId: 'a' }, read('a', [variantOf('v', 'one')]));
    state = apply(state, read('a', [variantOf('v', 'two')], 29 * MINUTE));
    expect(state.current?.variants[0]).toMatchObject({ url: 'one', thumb_url: 'one-thumb' });
    state = apply(state, read('a', [variantOf('v', 'three')], 31 * MINUTE));
    expect(state.current?.variants[0]?.url).toBe('three');
    state = apply(state, { type: 'urls-expired' }, read('a', [variantOf('v', 'four')], 32 * MINUTE));
    expect(state.current?.variants[0]).toMatchObject({ url: 'four', thumb_url: 'four-thumb' });
  });

  test('an event shows the new progress at once, and drops the previous time and the note of an earlier run', () => {
    const at = '2026-01-01T00:01:00Z';
    const job = jobOf('a', 'running', 2, { progress: 0.25, progressAt: at, note: 'Drawing' });
    const state = apply(openImageGen(), listOf(job));
    const event = { jobId: 'a', status: 'running', statusSeq: 3, run: 1, progress: 0.5 } as const;
    expect(apply(state, { type: 'event-received', event }).jobs[0]).toMatchObject({
      progress: 0.5,
      progressAt: null,
      note: 'Drawing',
    });
    const next = { ...event, run: 2, progress: null };
    expect(apply(state, { type: 'event-received', event: next }).jobs[0]).toMatchObject({
      progress: null,
      note: null,
    });
  });

  test('images that arrive while a run is under way are announced', () => {
    const running = (...names: string[]): ImageGenAction => ({
      type: 'conversation-read',
      conversation: {
        job: jobOf('a', 'running', 2 + names.length),
        messages: [messageOf('a')],
        variants: names.map((name) => variantOf(name, name)),
        nextCursor: null,
      },
      at: 0,
    });
    const opened = apply(openImageGen(), { type: 'selected', jobId: 'a' }, running('v1'));
    expect(opened.announcement).toBeNull();
    const more = apply(opened, running('v1', 'v2'));
    expect(more.announcement?.text).toBe('“Room a” has 2 images so far.');
    expect(apply(more, running('v1', 'v2')).announcement).toBe(more.announcement);
  });

  describe('a conversation read in pages', () => {
    /** Returns a page of the conversation: the prompts `from` to `to`, each with one image. */
    const stretch = (from: number, to: number) => ({
      messages: Array.from({ length: to - from + 1 }, (_, i) => messageOf('a', from + i)),
      variants: Array.from({ length: to - from + 1 }, (_, i) => ({
        ...variantOf(`v${from + i}`, 'url'),
        run: from + i,
      })),
      nextCursor: from > 1 ? String(from) : null,
    });
    const end = (from: number, to: number): ImageGenAction => ({
      type: 'conversation-read',
      conversation: { job: jobOf('a', 'succeeded', 3), ...stretch(from, to) },
      at: 0,
    });
    const earlier = (from: number, to: number): ImageGenAction => ({
      type: 'conversation-extended',
      jobId: 'a',
      page: stretch(from, to),
      at: 0,
    });
    const shown = ({ current }: ImageGenState) => ({
      prompts: current?.messages.map(({ ordinal }) => ordinal),
      images: current?.variants.map(({ run }) => run),
      earlier: current?.earlierCursor,
    });
    const opened = apply(openImageGen(), { type: 'selected', jobId: 'a' }, end(7, 9));

    test('earlier prompts come before those that are shown, and stay when the end is read again', () => {
      const extended = apply(opened, earlier(4, 6));
      expect(shown(extended)).toEqual({
        prompts: [4, 5, 6, 7, 8, 9],
        images: [4, 5, 6, 7, 8, 9],
        earlier: '4',
      });
      expect(shown(apply(extended, end(8, 10)))).toEqual({
        prompts: [4, 5, 6, 7, 8, 9, 10],
        images: [4, 5, 6, 7, 8, 9, 10],
        earlier: '4',
      });
      expect(shown(apply(extended, end(1, 9))).earlier).toBeNull();
    });

    test('a last page that does not reach the shown prompts replaces them, so that no prompt is left out', () => {
      expect(shown(apply(opened, end(20, 22)))).toEqual({
        prompts: [20, 21, 22],
        images: [20, 21, 22],
        earlier: '20',
      });
    });

    test('an earlier page that arrives twice, late or for another job is dropped', () => {
      expect(apply(opened, earlier(3, 5))).toBe(opened);
      const extended = apply(opened, earlier(4, 6));
      expect(apply(extended, earlier(4, 6))).toBe(extended);
      const other = apply(opened, { type: 'selected', jobId: 'b' });
      expect(apply(other, earlier(4, 6))).toBe(other);
    });
  });

  test('a job that no longer exists is removed from the list and marked as missing', () => {
    const state = apply(
      openImageGen(),
      listOf(jobOf('a', 'succeeded', 3)),
      { type: 'selected', jobId: 'a' },
      { type: 'conversation-missing', jobId: 'a' },
    );
    expect(state.jobs).toEqual([]);
    expect(state.current).toMatchObject({ job: null, read: 'missing' });
  });

  test('server-rendered data is available in the initial state', () => {
    const job = jobOf('a', 'running', 2);
    const state = openImageGen({
      jobs: [job],
      nextCursor: 'x',
      status: 'running',
      conversation: { job, messages: [messageOf('a')], variants: [], nextCursor: null },
    });
    expect(state).toMatchObject({ jobsRead: true, status: 'running', nextCursor: 'x', error: null });
    expect(state.current).toMatchObject({ jobId: 'a', read: 'done' });
    expect(state.announcement).toBeNull();
  });
});
