import { setImmediate as nextTurn } from 'node:timers/promises';

/** Number of steps that run in one turn of the event loop. */
const STEPS_PER_TURN = 500;

/** Returns a function to await in each step of a long loop. The function regularly yields to the event loop. */
export function createYielder(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    return steps % STEPS_PER_TURN === 0 ? nextTurn() : undefined;
  };
}
