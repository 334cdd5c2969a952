/** A node of an n8n workflow in n8n's export format. */
export type N8nNode = {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: Record<string, unknown>;
  /** Continues with the next node when this one fails; the item then has `error`. */
  onError?: 'continueRegularOutput';
  retryOnFail?: boolean;
  maxTries?: number;
  waitBetweenTries?: number;
  webhookId?: string;
};

type Target = { node: string; type: 'main'; index: number };
/** A workflow in n8n's export format. */
export type N8nWorkflow = {
  name: string;
  nodes: N8nNode[];
  connections: Record<string, { main: Target[][] }>;
  settings: { executionOrder: 'v1' };
};

type Step = Omit<N8nNode, 'id' | 'position'>;

/** A step that runs JavaScript. */
export const code = (name: string, jsCode: string): Step => ({
  name,
  type: 'n8n-nodes-base.code',
  typeVersion: 2,
  parameters: { mode: 'runOnceForAllItems', jsCode },
});

/** A step that sends a request. After five failed attempts, it continues with an `error` instead of the response. */
export const request = (name: string, parameters: Record<string, unknown>): Step => ({
  name,
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters,
  onError: 'continueRegularOutput',
  retryOnFail: true,
  maxTries: 5,
  waitBetweenTries: 5000,
});

/** Stores the response as a file in the binary property `data`. */
export const asFile = { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } };

/** A secret header from n8n's own credentials, which exports never contain; selected after the import. */
export const headerCredential = {
  authentication: 'genericCredentialType',
  genericAuthType: 'httpHeaderAuth',
};

/** A sequence of steps from left to right, below a note with instructions. */
export function workflow(name: string, note: string, steps: Step[]): N8nWorkflow {
  const nodes = steps.map((step, i): N8nNode => {
    return { ...step, id: `atelier-${i + 1}`, position: [220 * i, 300] };
  });
  const connections = Object.fromEntries(
    nodes.slice(0, -1).flatMap((node, i) => {
      const next = nodes[i + 1];
      // Index 0 is the first output of a step; the `false` output of a condition has no connection.
      return next ? [[node.name, { main: [[{ node: next.name, type: 'main', index: 0 } as const]] }]] : [];
    }),
  );
  const sticky: N8nNode = {
    id: 'atelier-note',
    name: 'Read me',
    type: 'n8n-nodes-base.stickyNote',
    typeVersion: 1,
    position: [0, -80],
    parameters: { content: note, width: 880, height: 320 },
  };
  return { name, nodes: [sticky, ...nodes], connections, settings: { executionOrder: 'v1' } };
}
