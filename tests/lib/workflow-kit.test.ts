import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { imageProgressWorkflow, imageWorkflow } from '@/lib/workflow/kit/image-workflow';
import { n8nWorkflow } from '@/lib/workflow/kit/schema';
import { specWorkflow } from '@/lib/workflow/kit/spec-workflow';
import { nodeDescription } from '@/tests/lib/n8n/node-description';
import { nodeProblems } from '@/tests/lib/n8n/node-problems';

const workflows = [specWorkflow, imageWorkflow, imageProgressWorkflow];
const versions = ['2.40.7', '1.123.81', '1.100.1'].map((version) => {
  const text = readFileSync(`tests/lib/n8n/nodes-${version}.json`, 'utf8');
  return { version, descriptions: z.array(nodeDescription).parse(JSON.parse(text)) };
});

/** Returns all strings in a value, at any depth. */
const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

test.each(versions)('n8n $version knows every node of the kit with its parameters', ({ descriptions }) => {
  for (const { nodes, connections } of workflows) {
    for (const node of nodes) {
      const outputs = connections[node.name]?.main.length ?? 0;
      expect(nodeProblems(node, outputs, descriptions), node.name).toEqual([]);
    }
  }
});

test('a node of an unknown type or with a wrong parameter, credential or output is reported', () => {
  const { descriptions } = versions[0] ?? { descriptions: [] };
  const named = (name: string) => {
    const node = imageWorkflow.nodes.find((each) => each.name === name);
    if (!node) throw new Error(`no ${name}`);
    return node;
  };
  const changed = (name: string, parameters: object) => {
    const node = named(name);
    return nodeProblems({ ...node, parameters: { ...node.parameters, ...parameters } }, 1, descriptions);
  };
  expect(changed('Trigger', { authentication: 'none' })).toEqual([
    'Trigger takes no credential httpHeaderAuth',
  ]);
  expect(changed('Trigger', { httpMethods: 'POST' })).toEqual(['Trigger has no httpMethods']);
  expect(changed('Call back', { specifyBody: 'text' })).toContain('Call back.specifyBody cannot be "text"');
  expect(changed('Call back', { specifyBody: 'keypair' })).toContain('Call back does not show jsonBody');
  expect(changed('Generate an image', { options: { response: { response: { format: 'file' } } } })).toEqual([
    'Generate an image.options.response.response has no format',
  ]);
  expect(nodeProblems({ ...named('Report'), typeVersion: 9 }, 1, descriptions)).toEqual([
    'There is no n8n-nodes-base.set 9',
  ]);
  expect(nodeProblems(named('One image at a time'), 3, descriptions)).toHaveLength(1);
});

test('the workflows of the kit and their webhooks can coexist in one n8n', () => {
  expect(new Set(workflows.map(({ id }) => id)).size).toBe(workflows.length);
  const paths = workflows.map(({ nodes }) => nodes.find(({ name }) => name === 'Trigger')?.parameters.path);
  expect(new Set(paths).size).toBe(workflows.length);
});

describe.each(workflows)('$name', (workflow) => {
  const { name, nodes, connections } = workflow;
  const names = nodes.map((node) => node.name);
  const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));

  test(`"${name}" has the fields that the command line of n8n requires, and no unknown ones`, () => {
    expect(n8nWorkflow.parse(workflow)).toEqual(workflow);
    expect(workflow).toMatchObject({ id: expect.stringMatching(/^\w{16}$/), active: false });
  });

  test(`"${name}" has unique names, every connection leads to a node, and every node is reached`, () => {
    expect(new Set(names).size).toBe(names.length);
    for (const each of [...Object.keys(connections), ...targets]) expect(names).toContain(each);
    expect([...new Set([...targets, 'Trigger', 'Run', 'Read me'])].sort()).toEqual([...names].sort());
  });

  test(`"${name}" responds only after the run has started, and ends with the response`, () => {
    expect(connections['Start the run']).toMatchObject({ main: [[{ node: 'Respond' }]] });
    expect(connections.Respond).toBeUndefined();
  });

  test(`"${name}" imports no module, and has a Code node only for the check of the trigger`, () => {
    const scripts = nodes.filter(({ type }) => type === 'n8n-nodes-base.code');
    expect(scripts.map((node) => node.name)).toEqual(['Check the trigger']);
    const text = JSON.stringify(scripts);
    expect(text.match(/\brequire\b|\bimport\b|\$getWorkflowStaticData/g)).toBeNull();
  });

  test(`every expression of "${name}" uses only what every version of n8n has, and refers only to nodes that return items`, () => {
    const makers = nodes.filter(({ type }) => /\.(set|httpRequest)$/.test(type)).map((node) => node.name);
    const expressions = textsOf(nodes.map(({ parameters: { jsCode: _, ...rest } }) => rest)).filter((text) =>
      text.startsWith('='),
    );
    expect(expressions.length).toBeGreaterThan(3);
    for (const expression of expressions) {
      // n8n ends an expression at the first `}}`.
      expect(expression).toMatch(/^=\{\{((?!\}\}).)+\}\}$/s);
      expect(expression).not.toMatch(
        /\$(?!json\b|binary\b|runIndex\b|workflow\.id\b|execution\.id\b|\('|\{)|\bBuffer\.|\brequire\b/,
      );
      for (const [, referred] of expression.matchAll(/\$\('(.+?)'\)/g)) expect(makers).toContain(referred);
    }
  });

  test(`the note in "${name}" names every step and credential that the importer has to set`, () => {
    const note = String(nodes.find((node) => node.name === 'Read me')?.parameters.content);
    for (const node of nodes) {
      if (!node.credentials) continue;
      const line = note.split('\n').find((each) => each.includes(`**${node.name}**`));
      expect(line, node.name).toContain(`\`${node.credentials.httpHeaderAuth.name}\``);
    }
    for (const [, step] of note.matchAll(/\*\*(.+?)\*\*/g)) expect([...names, 'Publish']).toContain(step);
    expect(note).toMatch(/`WORKFLOW_TOKEN`.*`WORKFLOW_SIGNING_SECRET`/s);
    const check = nodes.find((node) => node.name === 'Check the trigger')?.parameters.jsCode;
    expect(String(check).split('\n')[0]).toBe("const SIGNING_SECRET = 'whsec_PUT_YOURS_HERE';");
  });
});
