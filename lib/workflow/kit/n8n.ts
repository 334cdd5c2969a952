/** A node of an n8n workflow in n8n's export format. */
export type N8nNode = {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  /** A credential in the n8n instance that imports the workflow. Without an id, n8n selects the credential by name. */
  credentials?: { httpHeaderAuth: { id: null; name: string } };
  /** Continues with the next node if this one fails. The item then has an `error`. */
  onError?: 'continueRegularOutput';
  /** Runs the node for the first item only. */
  executeOnce?: true;
  retryOnFail?: boolean;
  maxTries?: number;
  waitBetweenTries?: number;
  webhookId?: string;
};

type Target = { node: string; type: 'main'; index: number };
/** A workflow in n8n's export format. n8n's command line needs `id` and `active`. */
export type N8nWorkflow = {
  id: string;
  name: string;
  active: false;
  nodes: N8nNode[];
  /** Maps the name of a node to the targets of each of its outputs. */
  connections: Record<string, { main: Target[][] }>;
  settings: { executionOrder: 'v1' };
};

export type Step = Omit<N8nNode, 'id' | 'position'>;

/**
 * Returns a step that runs JavaScript. Use it only before the workflow responds to the trigger. When n8n shuts down, it
 * lets runs finish but stops Code steps immediately. If the workflow has not responded yet, Atelier sends the trigger
 * again.
 */
export const code = (name: string, jsCode: string): Step => ({
  name,
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: { mode: 'runOnceForAllItems', jsCode },
});

type Field = { type: 'string' | 'number' | 'array' | 'object'; expression: string };

/**
 * Returns a step that computes the fields of an item. An expression can use `$json`, `$binary` and `$runIndex`. It
 * cannot contain two closing braces in a row, which would end it. It can refer to an earlier step as `$('a step')` only
 * if that step's items do not come from a Code step. In n8n 1.123, `$('a step')` is undefined for a Code step and for
 * a step that only passes on the items of a Code step.
 */
export const compute = (name: string, fields: Record<string, Field>): Step => ({
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  parameters: {
    assignments: {
      assignments: Object.entries(fields).map(([field, { type, expression }]) => {
        return { id: field, name: field, type, value: `={{ ${expression} }}` };
      }),
    },
    options: {},
  },
});

/** Wraps JavaScript statements in an expression. */
export const script = (statements: string): string => `(() => {\n${statements}})()`;

/** Returns a step that sends items to its first output if the expression is true, otherwise to its second output. */
export const condition = (name: string, expression: string): Step => ({
  name,
  type: 'n8n-nodes-base.if',
  typeVersion: 2.2,
  parameters: {
    conditions: {
      options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
      conditions: [
        {
          id: 'condition',
          leftValue: expression,
          rightValue: '',
          operator: { type: 'boolean', operation: 'true', singleValue: true },
        },
      ],
      combinator: 'and',
    },
    options: {},
  },
});

/** Returns a step that sends an item to the output whose number the expression returns. */
export const choice = (name: string, outputs: number, expression: string): Step => ({
  name,
  type: 'n8n-nodes-base.switch',
  typeVersion: 3,
  parameters: { mode: 'expression', numberOutputs: outputs, output: `={{ ${expression} }}` },
});

/** Returns a step that waits before it passes on its items. */
export const pause = (name: string, webhookId: string, seconds: number): Step => ({
  name,
  type: 'n8n-nodes-base.wait',
  typeVersion: 1.1,
  webhookId,
  parameters: { resume: 'timeInterval', amount: seconds, unit: 'seconds' },
});

/** Returns a step that puts the text or the base64 of the file `data` into a field of the item. */
export const readFile = (name: string, operation: 'text' | 'binaryToPropery', field: string): Step => ({
  name,
  type: 'n8n-nodes-base.extractFromFile',
  typeVersion: 1,
  parameters: {
    operation,
    binaryPropertyName: 'data',
    destinationKey: field,
    options: { keepSource: 'json' },
  },
});

/** Returns a step that makes the file `data` from base64 in a field. n8n recognizes its type by its bytes. */
export const makeFile = (name: string, field: string): Step => ({
  name,
  type: 'n8n-nodes-base.convertToFile',
  typeVersion: 1.1,
  parameters: { operation: 'toBinary', sourceProperty: field, options: {} },
});

/** Returns a step that tries a request up to five times. If all tries fail, the execution ends with an error. */
export const request = (name: string, parameters: Record<string, unknown>): Step => ({
  name,
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters,
  retryOnFail: true,
  maxTries: 5,
  waitBetweenTries: 5000,
});

/**
 * Returns a copy of the step whose failure does not end the execution. After a failure, the execution continues with an
 * item that has an `error`.
 */
export const orError = (step: Step): Step => ({ ...step, onError: 'continueRegularOutput' });

/** Request options that store the response as a file in the binary property `data`, and keep the JSON of the item. */
export const asFile = { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } };

/**
 * Returns a copy of the step with a credential for a secret header. A webhook then requires the header, and a request
 * sends it. n8n stores the secret separately, so exported workflows never contain it.
 */
export const withCredential = (title: string, step: Step): Step => ({
  ...step,
  parameters: { ...step.parameters, ...credentialParameters(step.type) },
  credentials: { httpHeaderAuth: { id: null, name: title } },
});

const credentialParameters = (type: string) =>
  type === 'n8n-nodes-base.webhook'
    ? { authentication: 'headerAuth' }
    : { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };

/** A connection between two steps. `output` is 0 (the first one) by default. */
type Link = { from: string; to: string; output?: number };

/**
 * A row of steps from left to right. The first step is in `column` (0 by default). Without `links`, each step leads to
 * the next one.
 */
export type Row = { steps: Step[]; links?: Link[]; column?: number };

const chain = (steps: Step[]): Link[] =>
  steps.slice(1).map((step, i) => ({ from: steps[i]?.name ?? '', to: step.name }));

/** Builds a workflow with a note above the rows of steps. n8n requires an `id` of 16 characters. */
export function workflow(options: { id: string; name: string; note: string; rows: Row[] }): N8nWorkflow {
  const { id, name, note, rows } = options;
  const placed = rows.flatMap(({ steps, column = 0 }, row) =>
    steps.map((step, i) => ({
      ...step,
      position: [220 * (column + i), 300 + 220 * row] as [number, number],
    })),
  );
  const links = rows.flatMap((row) => row.links ?? chain(row.steps));
  const connections: N8nWorkflow['connections'] = {};
  for (const { from, to, output = 0 } of links) {
    const { main } = connections[from] ?? { main: [] };
    connections[from] = { main };
    while (main.length <= output) main.push([]);
    main[output]?.push({ node: to, type: 'main', index: 0 });
  }
  const sticky: N8nNode = {
    id: 'atelier-note',
    name: 'Read me',
    type: 'n8n-nodes-base.stickyNote',
    typeVersion: 1,
    position: [0, -140],
    parameters: { content: note, width: 1080, height: 380 },
  };
  const nodes = placed.map((step, i): N8nNode => ({ ...step, id: `atelier-${i + 1}` }));
  return {
    id,
    name,
    active: false,
    nodes: [sticky, ...nodes],
    connections,
    settings: { executionOrder: 'v1' },
  };
}
