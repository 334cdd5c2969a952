import { z } from 'zod';

const conditions = z.record(z.string(), z.array(z.unknown()));
const displayOptions = z.object({ show: conditions.optional(), hide: conditions.optional() });

/** A parameter of a node, or an entry in a parameter's `options`. */
const property = z.object({
  name: z.string(),
  /** Absent in the choices of a parameter of type `options`, and in the groups of a `fixedCollection`. */
  type: z.string().optional(),
  value: z.unknown().optional(),
  default: z.unknown().optional(),
  displayOptions: displayOptions.optional(),
  get options() {
    return z.array(property).optional();
  },
  get values() {
    return z.array(property).optional();
  },
});
export type Property = z.infer<typeof property>;

/** The parts of an n8n node description that the tests use. */
export const nodeDescription = z.object({
  name: z.string(),
  version: z.union([z.number(), z.array(z.number())]),
  /** A list of outputs, or an expression that computes it. */
  outputs: z.union([z.string(), z.array(z.unknown())]),
  credentials: z
    .union([z.string(), z.array(z.object({ name: z.string(), displayOptions: displayOptions.optional() }))])
    .optional(),
  properties: z.array(property),
});
export type NodeDescription = z.infer<typeof nodeDescription>;
