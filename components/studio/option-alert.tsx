import { FormFailure } from '@/components/form/form-failure';
import type { DraftErrors } from './job-draft';

/** Shows the errors of materials and options in one place, because the fields may be in closed popovers. */
export function OptionAlert({ errors: { materials, size, count, seed, safety } }: { errors: DraftErrors }) {
  return <FormFailure text={[materials, size, count, seed, safety].filter(Boolean).join(' ')} />;
}
