import { setImmediate as nextTurn } from 'node:timers/promises';

/** Objects of a PDF that are processed in one turn of the event loop. */
const IN_A_TURN = 500;

/** Returns a function to await in each step of a loop over many objects, which now and then lets other work run. */
export function givingWay(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    return steps % IN_A_TURN === 0 ? nextTurn() : undefined;
  };
}
