/** The state of a reducer, held outside React. */
export type ReducerStore<State, Action> = {
  get: () => State;
  dispatch: (action: Action) => void;
  /** Calls `onChange` after each change. Returns a function that unsubscribes. */
  subscribe: (onChange: () => void) => () => void;
};

/**
 * Creates a store whose state can be read at any time. With `useSyncExternalStore`, a component can select a part of
 * the state and re-render only when that part changes.
 */
export function createReducerStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  start: State,
): ReducerStore<State, Action> {
  const listeners = new Set<() => void>();
  let state = start;
  return {
    get: () => state,
    dispatch: (action) => {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const onChange of listeners) onChange();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}
