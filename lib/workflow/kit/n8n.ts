/** A node of an n8n workflow in n8n's export format. */
export type N8nNode = {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  /** A credential of the importer's n8n. Without an id, n8n selects the one with this title if there is one. */
  credentials?: { httpHeaderAuth: { id: null; name: string } };
  /** Continues with the next node when this one fails; the item then has `error`. */
  onError?: 'continueRegularOutput';
  /** Runs for the first item only. */
  executeOnce?: true;
  retryOnFail?: boolean;
  maxTries?: number;
  waitBetweenTries?: number;
  webhookId?: string;
};

type Target = { node: string; type: 'main'; index: number };
/** A workflow in n8n's export format. The command line needs `id` and `active`. */
export type N8nWorkflow = {
  id: string;
  name: string;
  active: false;
  nodes: N8nNode[];
  /** By the name of a node: the targets of each of its outputs. */
  connections: Record<string, { main: Target[][] }>;
  settings: { executionOrder: 'v1' };
};

export type Step = Omit<N8nNode, 'id' | 'position'>;

/**
 * A step that runs JavaScript. Use it before the response only: when n8n shuts down, it lets runs finish, but stops its
 * runner of Code steps at once. A trigger that then gets no response is sent again.
 */
export const code = (name: string, jsCode: string): Step => ({
  name,
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: { mode: 'runOnceForAllItems', jsCode },
});

type Field = { type: 'string' | 'array' | 'object'; expression: string };

/**
 * A step that computes the fields of an item. An expression cannot contain two closing braces in a row, which end it. It
 * can use `$json`, `$binary` and `$runIndex`, and `$('a step')` if that step made its own item: in n8n 1.123, the items of
 * a Code step are undefined in expressions, also where another step passed them on.
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

/** JavaScript with statements, as an expression. */
export const script = (statements: string): string => `(() => {\n${statements}})()`;

/** A step that continues only with items for which the expression is true; the others leave by its second output. */
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

/** A step that sends a request, up to five times. A failure ends the execution with an error. */
export const request = (name: string, parameters: Record<string, unknown>): Step => ({
  name,
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters,
  retryOnFail: true,
  maxTries: 5,
  waitBetweenTries: 5000,
});

/** The step, continuing with an `error` instead of its result when it fails. */
export const orError = (step: Step): Step => ({ ...step, onError: 'continueRegularOutput' });

/** Stores the response as a file in the binary property `data`, and keeps the JSON of the item. */
export const asFile = { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } };

/** The step with a secret header from n8n's own credentials, which exports never contain. */
export const withCredential = (title: string, step: Step): Step => ({
  ...step,
  parameters: { ...step.parameters, ...credentialParameters(step.type) },
  credentials: { httpHeaderAuth: { id: null, name: title } },
});

const credentialParameters = (type: string) =>
  type === 'n8n-nodes-base.webhook'
    ? { authentication: 'headerAuth' }
    : { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' };

/** A connection between two steps, from the first output (0) unless it says otherwise. */
type Link = { from: string; to: string; output?: number };

/** Steps from left to right. Without `links`, each leads to the next one. */
export type Row = { steps: Step[]; links?: Link[] /** Where the first step is placed. */; column?: number };

const chain = (steps: Step[]): Link[] =>
  steps.slice(1).map((step, i) => ({ from: steps[i]?.name ?? '', to: step.name }));

/** A workflow: rows of steps below a note with instructions. n8n needs an `id` of 16 characters. */
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
