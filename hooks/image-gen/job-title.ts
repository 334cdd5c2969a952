import type { ImageJob } from '@/lib/image-gen/schema';

/** Returns the displayed title of an image job: its name or, without one, its first prompt. */
export const titleOfJob = ({ name, prompt }: Pick<ImageJob, 'name' | 'prompt'>): string => name ?? prompt;
