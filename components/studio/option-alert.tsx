import { FormFailure } from '@/components/form/form-failure';
import type { DraftErrors } from './job-draft';

/** The errors of materials and options, whose fields are closed. */
export function OptionAlert({ errors: { materials, size, count, seed, safety } }: { errors: DraftErrors }) {
  return <FormFailure text={[materials, size, count, seed, safety].filter(Boolean).join(' ')} />;
}
