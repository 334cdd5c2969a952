import { type ReactNode, useSyncExternalStore } from 'react';
import { createReducerStore } from '@/hooks/reducer-store';

export type Question = {
  title: string;
  text: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  cancel?: string;
  /** False for actions that delete nothing and revoke no access. Defaults to true. */
  isDangerous?: boolean;
  onConfirm: () => void;
};

const questions = createReducerStore<Question | null, Question | null>((_, next) => next, null);

/** Asks the user to confirm an action. */
export function askToConfirm(question: Question): void {
  questions.dispatch(question);
}

/** Closes the open confirmation. */
export function closeQuestion(): void {
  questions.dispatch(null);
}

/** Returns what the user is being asked to confirm, or null. */
export function useQuestion(): Question | null {
  return useSyncExternalStore(questions.subscribe, questions.get, () => null);
}
