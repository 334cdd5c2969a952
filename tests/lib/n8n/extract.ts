/**
 * Writes `tests/lib/n8n/nodes-<version>.json`: the parts of n8n's node descriptions that the tests need, for the nodes
 * that the kit uses. The package with all descriptions is not a dependency, because it is 100 times as large. Usage:
 *
 *   npm view n8n@2.40.7 dependencies.n8n-nodes-base   # prints 2.40.2
 *   npm pack n8n-nodes-base@2.40.2 && tar xzf n8n-nodes-base-2.40.2.tgz package/dist/types/nodes.json
 *   node --import tsx tests/lib/n8n/extract.ts 2.40.7 package/dist/types/nodes.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { imageProgressWorkflow, imageWorkflow } from '@/lib/workflow/kit/image-workflow';
import { specWorkflow } from '@/lib/workflow/kit/spec-workflow';
import { nodeDescription } from './node-description';

const [version = '', file = ''] = process.argv.slice(2);
const all = z.array(z.looseObject({ name: z.string() })).parse(JSON.parse(readFileSync(file, 'utf8')));
const nodes = [specWorkflow, imageWorkflow, imageProgressWorkflow].flatMap((workflow) => workflow.nodes);
const used = new Map(nodes.map((node) => [`${node.type} ${node.typeVersion}`, node]));
const descriptions = [...used.values()].map(({ type, typeVersion }) => {
  const ofType = all.filter(({ name }) => `n8n-nodes-base.${name}` === type);
  const parsed = ofType.map((description) => nodeDescription.parse(description));
  const description = parsed.find((candidate) => [candidate.version].flat().includes(typeVersion));
  if (!description) throw new Error(`n8n ${version} has no ${type} ${typeVersion}`);
  return description;
});
const target = new URL(`nodes-${version}.json`, import.meta.url);
writeFileSync(target, `${JSON.stringify(descriptions, null, 1)}\n`);
