import { dispatchImage } from '@/lib/image-gen/dispatch-image';
import type { WorkHandlers } from '@/lib/queue/work';
import { dispatchSpec } from '@/lib/specs/dispatch-spec';

/** Every kind of durable work and who does it. */
export const workHandlers: WorkHandlers = {
  spec_dispatch: dispatchSpec,
  image_dispatch: dispatchImage,
};
