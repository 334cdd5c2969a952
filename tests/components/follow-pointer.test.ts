import { afterEach, describe, expect, test, vi } from 'vitest';
import { followPointer } from '@/components/editor/canvas/follow-pointer';

afterEach(() => vi.unstubAllGlobals());

function follow(pointerId: number) {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  const log: string[] = [];
  const stop = followPointer(pointerId, {
    move: () => log.push('move'),
    end: () => log.push('end'),
    cancel: () => log.push('cancel'),
  });
  const fire = (type: string, more: object) => window.dispatchEvent(Object.assign(new Event(type), more));
  return { log, stop, fire };
}

describe('followPointer', () => {
  test('releasing the pointer ends the tracking, and stopping it afterwards has no effect', () => {
    const { log, stop, fire } = follow(1);
    fire('pointermove', { pointerId: 1 });
    fire('pointermove', { pointerId: 2 });
    fire('pointerup', { pointerId: 2 });
    fire('pointerup', { pointerId: 1 });
    fire('pointermove', { pointerId: 1 });
    stop();
    expect(log).toEqual(['move', 'end']);
  });

  test.each([
    ['pointercancel', { pointerId: 1 }],
    ['keydown', { key: 'Escape' }],
  ])('a %s event cancels the tracking', (type, more) => {
    const { log, stop, fire } = follow(1);
    fire(type, more);
    fire('pointerup', { pointerId: 1 });
    stop();
    expect(log).toEqual(['cancel']);
  });

  test('calling the returned function cancels the tracking once', () => {
    const { log, stop, fire } = follow(1);
    stop();
    stop();
    fire('pointerup', { pointerId: 1 });
    expect(log).toEqual(['cancel']);
  });
});
