import { z } from 'zod';

export const kitFiles = [
  'atelier-spec.n8n.json',
  'atelier-image.n8n.json',
  'atelier-image-progress.n8n.json',
] as const;
/** The path parameters of `GET /api/workflow-kit/{file}`. */
export const kitParams = z.object({
  file: z
    .string()
    .max(100)
    .meta({ json: { type: 'string', enum: kitFiles } }),
});

/** A workflow in n8n's export format. */
export const n8nWorkflow = z.object({
  id: z.string().length(16),
  name: z.string(),
  active: z.literal(false),
  nodes: z.array(z.looseObject({ name: z.string(), type: z.string() })),
  connections: z.record(z.string(), z.unknown()),
  settings: z.record(z.string(), z.unknown()),
});
