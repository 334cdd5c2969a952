import { setImmediate as nextTurn } from 'node:timers/promises';

/** Objects of a PDF that are worked on in one turn of the event loop. */
const IN_A_TURN = 500;

/** To be awaited at each step of a loop over many objects: now and then, it lets everything else have its turn. */
export function givingWay(): () => Promise<void> | undefined {
  let steps = 0;
  return () => {
    steps += 1;
    return steps % IN_A_TURN === 0 ? nextTurn() : undefined;
  };
}
