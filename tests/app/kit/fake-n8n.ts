import type { N8nNode, N8nWorkflow } from '@/lib/workflow/kit/n8n';
import { readPdf } from '@/tests/app/support/read-pdf';

type Json = Record<string, unknown>;
type File = { mimeType: string; bytes: Buffer };
type Item = { json: Json; binary?: { data: File } };
type Arrival = { headers: Record<string, string>; body: Buffer };
type Assignment = { name: string; value: string };
type WebhookResponse = { status: number; body: string };
/** The result that n8n shows for a finished execution. */
type Execution =
  | { status: 'success' }
  | { status: 'canceled' }
  | { status: 'error'; node: string; message: string };
type Respond = (response: WebhookResponse) => void;
type Step = { name: string; items: Item[] };
/** The secret header in each credential that n8n stores, keyed by the title of the credential. */
export type Credentials = Record<string, [name: string, value: string]>;

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** Returns the type of a file as n8n recognizes it if the response does not say. */
function typeOfBytes(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'image/webp';
  return start.startsWith('GIF8') ? 'image/gif' : 'text/plain';
}

/** Returns the value at a path such as `answer.base64`. */
const get = (json: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Json | undefined)?.[key], json);

/** Sets the value at a path, and returns the object. */
function set(json: Json, path: string, value: unknown): Json {
  const [key = '', ...rest] = path.split('.');
  json[key] = rest.length > 0 ? set({ ...(json[key] as Json | undefined) }, rest.join('.'), value) : value;
  return json;
}

const typeOf = (node: N8nNode | undefined) => node?.type.replace('n8n-nodes-base.', '') ?? '';

/**
 * Expressions can refer only to nodes of these types, because these nodes create new items. Other nodes can pass on
 * items from a Code node. In n8n 1.123, an expression cannot refer to a node that passes on such items.
 */
const makers = ['set', 'splitOut', 'httpRequest', 'extractFromFile'];

/**
 * Runs a workflow of the kit as n8n does with its default settings. Imitates only what the kit uses: nodes with their
 * outputs, loops, retries (without the pauses), errors, expressions and JavaScript. It is as strict as the strictest
 * n8n version: JavaScript cannot load modules, and an expression can refer only to nodes of the types in `makers`. It
 * behaves as if n8n were always about to shut down: an execution is canceled after its response, and Code nodes fail in
 * executions that another execution started.
 */
export function fakeN8n(workflow: N8nWorkflow, credentials: Credentials) {
  const nodes = new Map(workflow.nodes.map((node) => [node.name, node]));
  const executions: Execution[] = [];

  function secretHeader(node: N8nNode): [name: string, value: string] | undefined {
    const title = node.credentials?.httpHeaderAuth.name;
    if (title === undefined) return undefined;
    const credential = credentials[title];
    if (!credential) throw new Error(`There is no credential named ${title}`);
    return credential;
  }

  /** Executes the workflow, starting with `start`. `respond` is null if no webhook waits for a response. */
  async function execute(start: Step, respond: Respond | null): Promise<void> {
    /** The items that each run of a node passed to its first output. */
    const results = new Map<string, Item[][]>();
    const loops = new Map<string, { left: Item[]; done: Item[] }>();
    /** The executions that this execution has started. */
    const started: Promise<void>[] = [];
    const id = String(Math.random());
    let hasResponded = false;

    const referTo = (name: string) => {
      const runs = results.get(name);
      if (!runs || !makers.includes(typeOf(nodes.get(name))))
        throw new Error(`An expression cannot refer to ${name}`);
      return { first: (_output = 0, run = runs.length - 1) => runs[run]?.[0] };
    };

    function evaluate(value: unknown, item: Item, runIndex = 0): unknown {
      if (typeof value !== 'string' || !value.startsWith('=')) return value;
      const [, expression] = /^=\{\{((?:(?!\}\}).)+)\}\}$/s.exec(value) ?? [];
      if (!expression) throw new Error(`The kit uses ${value}, which this fake does not support`);
      const binary = item.binary ? { data: { mimeType: item.binary.data.mimeType } } : {};
      const globals = ['require', 'process', 'Buffer'];
      const compute = new Function(
        '$json',
        '$binary',
        '$runIndex',
        '$execution',
        '$',
        ...globals,
        `return (${expression});`,
      );
      return compute(item.json, binary, runIndex, { id }, referTo);
    }

    const runIndexOf = (node: N8nNode) => results.get(node.name)?.length ?? 0;

    function setFields(node: N8nNode, item: Item): Item {
      const { assignments } = node.parameters as { assignments: { assignments: Assignment[] } };
      const fields = assignments.assignments.map(({ name, value }): [string, unknown] => {
        return [name, evaluate(value, item, runIndexOf(node))];
      });
      return { json: JSON.parse(JSON.stringify(Object.fromEntries(fields))) };
    }

    function splitOut(node: N8nNode, item: Item): Item[] {
      const values = item.json[String(node.parameters.fieldToSplitOut)];
      if (!Array.isArray(values)) throw new Error('The field to split out is no array');
      return values.map((json: Json) => ({ json }));
    }

    async function runCode(node: N8nNode, items: Item[]): Promise<Item[]> {
      if (!respond) throw new Error('Task request timed out');
      const compute = AsyncFunction('$input', 'require', String(node.parameters.jsCode));
      const helpers = {
        getBinaryDataBuffer: async (i: number, name: string) => {
          const file = name === 'data' && items[i]?.binary?.data.bytes;
          if (!file) throw new Error(`There is no file ${name}`);
          return file;
        },
      };
      const forbidden = (name: string) => {
        throw new Error(`Module '${name}' is disallowed`);
      };
      const input = { all: () => items, first: () => items[0] };
      const made: Item[] = await compute.call({ helpers }, input, forbidden);
      return JSON.parse(JSON.stringify(made));
    }

    async function sendOne(node: N8nNode, item: Item): Promise<Item> {
      const { parameters } = node;
      const given = (key: string) => evaluate(parameters[key], item);
      const { headerParameters, options, contentType, sendBody } = parameters as {
        headerParameters?: { parameters: { name: string; value: string }[] };
        options: {
          response?: { response: { responseFormat: string; neverError?: boolean; fullResponse?: boolean } };
        };
        contentType?: string;
        sendBody?: boolean;
      };
      const headers = new Headers();
      for (const header of headerParameters?.parameters ?? []) {
        headers.set(header.name, String(evaluate(header.value, item)));
      }
      const secret = secretHeader(node);
      if (secret) headers.set(...secret);
      if (sendBody && parameters.specifyBody === 'json') headers.set('content-type', 'application/json');
      const file = item.binary?.data.bytes;
      if (contentType === 'binaryData' && !file) throw new Error('There is no file to send');
      const body = contentType === 'binaryData' ? new Uint8Array(file ?? []) : String(given('jsonBody'));
      const response = await fetch(String(given('url')), {
        method: String(parameters.method),
        headers,
        ...(sendBody ? { body } : {}),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const { responseFormat, neverError, fullResponse } = options.response?.response ?? {};
      if (!response.ok && !neverError) {
        const message =
          response.status === 429
            ? "Try spacing your requests out using the batching settings under 'Options'"
            : `${response.status} - ${JSON.stringify(bytes.toString())}`;
        throw Object.assign(new Error(message), { name: 'AxiosError', status: response.status });
      }
      if (responseFormat !== 'file') return { json: JSON.parse(bytes.toString() || '{}') };
      const mimeType = response.headers.get('content-type')?.split(';')[0] || typeOfBytes(bytes);
      const json = fullResponse ? { statusCode: response.status } : item.json;
      return { json, binary: { data: { mimeType, bytes } } };
    }

    async function extract(node: N8nNode, item: Item): Promise<Item> {
      const { operation, destinationKey, options } = node.parameters as {
        operation: string;
        destinationKey: string;
        options: { keepSource?: string };
      };
      if (operation === 'pdf') return extractFromPdf(item);
      const bytes = item.binary?.data.bytes;
      if (!bytes) throw new Error('There is no file');
      const json = options.keepSource === 'json' ? structuredClone(item.json) : {};
      return { json: set(json, destinationKey, bytes.toString(operation === 'text' ? 'utf8' : 'base64')) };
    }

    async function convert(node: N8nNode, item: Item): Promise<Item> {
      const bytes = Buffer.from(String(get(item.json, String(node.parameters.sourceProperty))), 'base64');
      return { json: {}, binary: { data: { mimeType: typeOfBytes(bytes), bytes } } };
    }

    async function extractFromPdf(item: Item): Promise<Item> {
      if (!item.binary) throw new Error('There is no file');
      const { pages } = await readPdf(new Uint8Array(item.binary.data.bytes));
      return { json: { text: pages.map(({ text }) => text).join('\n') } };
    }

    /** Processes items one by one. With `continueRegularOutput`, an item that fails yields an item with the error. */
    async function each(node: N8nNode, items: Item[], work: (item: Item) => Promise<Item>): Promise<Item[]> {
      const made: Item[] = [];
      for (const item of items) {
        try {
          made.push(await work(item));
        } catch (error) {
          if (node.onError !== 'continueRegularOutput') throw error;
          const { message, status } = error as Error & { status?: number };
          made.push({ json: { error: { message, ...(status ? { status } : {}) } } });
        }
      }
      return made;
    }

    function split(node: N8nNode, items: Item[]): Item[][] {
      const known = loops.get(node.name);
      const loop = known ?? { left: [...items], done: [] };
      loops.set(node.name, loop);
      if (known) loop.done.push(...items);
      const next = loop.left.shift();
      return next ? [[], [next]] : [loop.done, []];
    }

    /** Runs a node once and returns the items for each of its outputs. */
    async function runOnce(node: N8nNode, given: Item[]): Promise<Item[][]> {
      const items = node.executeOnce ? given.slice(0, 1) : given;
      const first = items[0] ?? { json: {} };
      switch (typeOf(node)) {
        case 'webhook':
        case 'executeWorkflowTrigger':
        case 'wait':
          return [items];
        case 'executeWorkflow': {
          const { workflowId, options } = node.parameters as { workflowId: { value: string }; options: Json };
          if (workflowId.value !== '={{ $workflow.id }}' || options.waitForSubWorkflow !== false)
            throw new Error('The kit starts an execution in a way that this fake does not support');
          const run = workflow.nodes.find((each) => typeOf(each) === 'executeWorkflowTrigger');
          started.push(execute({ name: run?.name ?? '', items: structuredClone(items) }, null));
          return [items];
        }
        case 'code':
          return [await runCode(node, items)];
        case 'set':
          return [items.map((item) => setFields(node, item))];
        case 'splitOut':
          return [items.flatMap((item) => splitOut(node, item))];
        case 'respondToWebhook': {
          const { options, responseBody } = node.parameters as { options: Json; responseBody: string };
          if (!respond) throw new Error('No webhook waits for a response');
          respond({
            status: Number(evaluate(options.responseCode, first)),
            body: String(evaluate(responseBody, first)),
          });
          hasResponded = true;
          return [items];
        }
        case 'if': {
          const { conditions } = node.parameters as { conditions: { conditions: { leftValue: string }[] } };
          const condition = conditions.conditions[0]?.leftValue;
          return [true, false].map((wanted) => items.filter((item) => evaluate(condition, item) === wanted));
        }
        case 'switch': {
          const outputs = Array.from({ length: Number(node.parameters.numberOutputs) }, (): Item[] => []);
          for (const item of items) {
            const output = outputs[Number(evaluate(node.parameters.output, item))];
            if (!output) throw new Error(`${node.name} has no such output`);
            output.push(item);
          }
          return outputs;
        }
        case 'splitInBatches':
          return split(node, items);
        case 'httpRequest':
          return [await each(node, items, (item) => sendOne(node, item))];
        case 'extractFromFile':
          return [await each(node, items, (item) => extract(node, item))];
        case 'convertToFile':
          return [await each(node, items, (item) => convert(node, item))];
        default:
          throw new Error(`The kit uses ${node.type}, which this fake does not support`);
      }
    }

    /**
     * Runs a node with its retries. As in n8n, a node is retried if it throws or if the first item that it returns has
     * an error, regardless of the other items.
     */
    async function runNode(node: N8nNode, items: Item[]): Promise<Item[][]> {
      for (let tries = node.retryOnFail ? (node.maxTries ?? 3) : 1; ; tries -= 1) {
        try {
          const made = await runOnce(node, items);
          if (tries <= 1 || !made[0]?.[0]?.json.error) return made;
        } catch (error) {
          if (tries <= 1) throw error;
        }
      }
    }

    const waiting = [start];
    let ending: Execution = { status: 'success' };
    for (let step = waiting.pop(); step && ending.status === 'success'; step = waiting.pop()) {
      const { name, items } = step;
      const node = nodes.get(name);
      if (!node) throw new Error(`There is no node ${name}`);
      if (hasResponded) {
        ending = { status: 'canceled' };
        break;
      }
      try {
        const made = await runNode(node, items);
        results.set(name, [...(results.get(name) ?? []), made[0] ?? []]);
        made.forEach((output, i) => {
          for (const target of workflow.connections[name]?.main[i] ?? []) {
            if (output.length > 0) waiting.push({ name: target.node, items: output });
          }
        });
      } catch (error) {
        ending = { status: 'error', node: name, message: (error as Error).message };
      }
    }
    executions.push(ending);
    await Promise.all(started);
  }

  return {
    /** The executions that have finished. */
    executions,
    /** Handles a request to the webhook. Resolves when its execution and all executions started by it have finished. */
    async run(arrival: Arrival, respond: Respond): Promise<void> {
      const trigger = nodes.get('Trigger');
      const [name = '', value] = (trigger && secretHeader(trigger)) ?? [];
      if (arrival.headers[name] !== value)
        return respond({ status: 403, body: 'Authorization data is wrong!' });
      const data = { mimeType: 'application/json', bytes: arrival.body };
      const item: Item = {
        json: { headers: arrival.headers },
        ...(data.bytes.length ? { binary: { data } } : {}),
      };
      await execute({ name: 'Trigger', items: [item] }, respond);
    },
  };
}
