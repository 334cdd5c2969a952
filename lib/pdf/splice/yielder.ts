import { setImmediate as nextTurn } from 'node:timers/promises';

/** Steps of a loop that run in one turn of the event loop. */
const STEPS_PER_TURN = 500;

/** Returns a function to await in each step of a loop over many objects; every so often it lets other work run. */
export function createYielder(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    return steps % STEPS_PER_TURN === 0 ? nextTurn() : undefined;
  };
}
