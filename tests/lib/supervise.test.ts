import { expect, test } from 'vitest';
import { supervise } from '@/lib/launcher/supervise';

function plan(restart: (what: string) => Promise<void>) {
  const lines: string[] = [];
  const events: string[] = [];
  const end = Promise.withResolvers<void>();
  const onDeath = supervise({
    restart,
    placeholder: async (what) => {
      events.push(`placeholder for ${what} started`);
      return async () => void events.push(`placeholder for ${what} stopped`);
    },
    log: (line) => void lines.push(line),
    giveUp: () => end.resolve(),
    pauses: [1, 2, 3],
    signal: new AbortController().signal,
  });
  return { onDeath, lines, events, gaveUp: end.promise };
}

test('a process that exits is restarted once, and the log has the reason', async () => {
  const started: string[] = [];
  const { onDeath, lines, events } = plan(async (what) => {
    events.push('restart');
    started.push(what);
  });
  onDeath('the app', 'SIGKILL');
  onDeath('the app', 'SIGKILL');
  await expect.poll(() => lines.at(-1)).toBe('The app is running again.');
  expect(lines[0]).toBe('The app exited unexpectedly (SIGKILL). It restarts in 0.001 s.');
  expect(started).toEqual(['the app']);
  // The placeholder listens on the port of the app, so it must stop before the app restarts.
  expect(events).toEqual(['placeholder for the app started', 'placeholder for the app stopped', 'restart']);
});

test('a process that exits too often is no longer restarted, and the restarts of other processes are counted separately', async () => {
  const { onDeath, lines, gaveUp } = plan(async (what) => {
    if (what === 'the app') throw new Error('The app exited while starting (exit code 1).');
  });
  onDeath('the embedded backend', 'exit code 1');
  onDeath('the app', 'SIGSEGV');
  await gaveUp;
  expect(lines.filter((line) => line.includes('It restarts in') && line.startsWith('The app'))).toHaveLength(
    3,
  );
  expect(lines.at(-1)).toMatch(
    /^Atelier is stopping: the app has exited unexpectedly too often \(The app exited while starting/,
  );
  await expect.poll(() => lines).toContain('The embedded backend is running again.');
});
