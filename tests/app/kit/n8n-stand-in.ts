import { createRequire } from 'node:module';
import { extractText } from 'unpdf';
import type { N8nNode, N8nWorkflow } from '@/lib/workflow/kit/n8n';

type Json = Record<string, unknown>;
type File = { mimeType: string; bytes: Buffer };
type Item = { json: Json; binary?: { data: File } };
type Arrival = { headers: Record<string, string>; body: Buffer };
type Answer = { status: number; body: string };
/** The credentials that an importer chooses by hand: the secret header of each node that needs one. */
export type Credentials = Record<string, [name: string, value: string]>;

const require = createRequire(import.meta.url);
const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/**
 * Runs a workflow of the kit like n8n does, as far as the kit uses n8n: webhook, code, condition, requests,
 * PDF text, response and expressions. The workflow's memory lives as long as the stand-in.
 */
export function n8nStandIn(workflow: N8nWorkflow, credentials: Credentials) {
  const memory: Json = {};
  const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));

  async function run(arrival: Arrival, answer: (answer: Answer) => void): Promise<void> {
    const results = new Map<string, Item[]>();
    const referTo = (name: string, index = 0) => {
      const items = results.get(name);
      if (!items) throw new Error(`There is no result of ${name}`);
      return { all: () => items, first: () => items[0], item: items[index] };
    };

    function evaluate(value: unknown, item: Item, index: number): unknown {
      if (typeof value !== 'string' || !value.startsWith('=')) return value;
      return value.slice(1).replace(/\{\{(.+?)\}\}/g, (_, expression: string) => {
        const binary = { data: { mimeType: item.binary?.data.mimeType } };
        const compute = new Function('$json', '$binary', '$', `return (${expression});`);
        return String(compute(item.json, binary, (name: string) => referTo(name, index)));
      });
    }

    function runCode(node: N8nNode, items: Item[]): Promise<Item[]> {
      const compute = AsyncFunction(
        '$input',
        '$',
        '$getWorkflowStaticData',
        'require',
        String(node.parameters.jsCode),
      );
      const helpers = { getBinaryDataBuffer: async (i: number) => items[i]?.binary?.data.bytes };
      const input = { all: () => items, first: () => items[0] };
      return compute.call({ helpers }, input, referTo, () => memory, require);
    }

    async function sendOne({ name, parameters }: N8nNode, item: Item, index: number): Promise<Item> {
      const given = (key: string) => evaluate(parameters[key], item, index);
      const { headerParameters, options, contentType, sendBody } = parameters as {
        headerParameters?: { parameters: { name: string; value: string }[] };
        options: { response?: { response: { responseFormat: string } } };
        contentType?: string;
        sendBody?: boolean;
      };
      const headers = new Headers();
      for (const header of headerParameters?.parameters ?? []) {
        headers.set(header.name, String(evaluate(header.value, item, index)));
      }
      if (parameters.authentication) {
        const credential = credentials[name];
        if (!credential) throw new Error(`${name} has no credential`);
        headers.set(...credential);
      }
      if (sendBody && parameters.specifyBody === 'json') headers.set('content-type', 'application/json');
      const file = item.binary?.data.bytes;
      if (contentType === 'binaryData' && !file) throw new Error(`${name} has no file to send`);
      const body = contentType === 'binaryData' ? new Uint8Array(file ?? []) : String(given('jsonBody'));
      const response = await fetch(String(given('url')), {
        method: String(parameters.method),
        headers,
        ...(sendBody ? { body } : {}),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${bytes.toString().slice(0, 200)}`);
      if (options.response?.response.responseFormat !== 'file')
        return { json: JSON.parse(bytes.toString() || '{}') };
      return { json: {}, binary: { data: { mimeType: response.headers.get('content-type') ?? '', bytes } } };
    }

    async function readPdf(item: Item): Promise<Item> {
      if (!item.binary) throw new Error('There is no file');
      const { text } = await extractText(new Uint8Array(item.binary.data.bytes));
      return { json: { text: text.join('\n') } };
    }

    /** Like `continueRegularOutput`: an item that fails continues with its error. */
    function each(items: Item[], work: (item: Item, index: number) => Promise<Item>): Promise<Item[]> {
      return Promise.all(
        items.map((item, index) =>
          work(item, index).catch((error: Error) => ({ json: { error: error.message } })),
        ),
      );
    }

    async function runNode(node: N8nNode, items: Item[]): Promise<Item[]> {
      const first = items[0] ?? { json: {} };
      switch (node.type.replace('n8n-nodes-base.', '')) {
        case 'webhook':
          return items;
        case 'code':
          return runCode(node, items);
        case 'respondToWebhook': {
          const { options, responseBody } = node.parameters as { options: Json; responseBody: string };
          const status = Number(evaluate(options.responseCode, first, 0));
          answer({ status, body: String(evaluate(responseBody, first, 0)) });
          return items;
        }
        case 'if': {
          const { conditions } = node.parameters as { conditions: { conditions: { leftValue: string }[] } };
          const condition = conditions.conditions[0]?.leftValue;
          return items.filter((item, i) => evaluate(condition, item, i) === 'true');
        }
        case 'httpRequest':
          return each(items, (item, i) => sendOne(node, item, i));
        case 'extractFromFile':
          return each(items, readPdf);
        default:
          throw new Error(`The kit uses ${node.type}, which this stand-in does not support`);
      }
    }

    const body: unknown = JSON.parse(arrival.body.toString());
    const data = { mimeType: 'application/json', bytes: arrival.body };
    let items: Item[] = [{ json: { headers: arrival.headers, body }, binary: { data } }];
    for (let node = nodes.get('Trigger'); node && items.length > 0; ) {
      items = await runNode(node, items);
      results.set(node.name, items);
      const next = workflow.connections[node.name]?.main[0]?.[0]?.node;
      node = next === undefined ? undefined : nodes.get(next);
    }
  }
  return { run };
}
