'use client';

import { closeQuestion, useQuestion } from './ask-to-confirm';
import { onDemand } from './on-demand';

const ConfirmDialog = onDemand(() => import('./confirm-dialog').then((file) => file.ConfirmDialog), {
  question: null,
});

/** Shows the dialog that `askToConfirm` opens. */
export function Confirmation() {
  return <ConfirmDialog question={useQuestion()} onClose={closeQuestion} />;
}
