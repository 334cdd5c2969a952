import { Anchor } from '@mantine/core';
import type { ImageJob } from '@/lib/image-gen/schema';
import { StudioLink } from '../studio-link';
import { studioHref } from '../studio-url';
import { swapTitle } from './swap-title';

type SwapLinkProps = {
  job: Pick<ImageJob, 'projectId' | 'swapWhere'>;
  swapId: string;
  onOpen: (swapId: string) => void;
};

/** Renders a link from a job to the material swap that started it. */
export function SwapLink({ job: { projectId, swapWhere }, swapId, onOpen }: SwapLinkProps) {
  return (
    <Anchor
      component={StudioLink}
      size="sm"
      href={studioHref(projectId, { swap: swapId })}
      onOpen={() => onOpen(swapId)}
    >
      {swapTitle(swapWhere ?? '')}
    </Anchor>
  );
}
