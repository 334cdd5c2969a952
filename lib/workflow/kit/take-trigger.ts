import { callBack } from './call-back';
import { code, compute, condition, type Row, type Step, withCredential } from './n8n';

// The code that verifies a trigger. It implements SHA-256 in plain JavaScript, because n8n forbids the `crypto` module
// in Code nodes by default.
const checkTrigger = `const SIGNING_SECRET = 'whsec_PUT_YOURS_HERE';

// SHA-256. Its constants are the fractions of the roots of the first 64 primes.
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits));

function sha256(message) {
  const end = Buffer.alloc(8);
  end.writeUInt32BE(Math.floor(message.length / 2 ** 29), 0);
  end.writeUInt32BE((message.length * 8) % 2 ** 32, 4);
  const zeros = (119 - (message.length % 64)) % 64;
  const bytes = Buffer.concat([message, Buffer.from([128]), Buffer.alloc(zeros), end]);
  const hash = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const words = new Int32Array(64);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = bytes.readInt32BE(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const [x, y] = [words[i - 15], words[i - 2]];
      const mixX = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const mixY = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      words[i] = words[i - 16] + mixX + words[i - 7] + mixY;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i += 1) {
      const mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + mixE + ((e & f) ^ (~e & g)) + constants[i] + words[i]) | 0;
      const mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (mixA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i] + word) | 0; });
  }
  const digest = Buffer.alloc(32);
  hash.forEach((word, i) => digest.writeInt32BE(word, 4 * i));
  return digest;
}

function hmac(key, message) {
  const block = Buffer.alloc(64);
  (key.length > 64 ? sha256(key) : key).copy(block);
  const inner = sha256(Buffer.concat([block.map((byte) => byte ^ 0x36), message]));
  return sha256(Buffer.concat([block.map((byte) => byte ^ 0x5c), inner]));
}

function isSame(left, right) {
  let difference = left.length ^ right.length;
  for (let i = 0; i < right.length; i += 1) difference |= (left[i] ?? 0) ^ right[i];
  return difference === 0;
}

// Standard Webhooks: a signature over the id, the timestamp and the bytes of the body.
const { headers } = $input.first().json;
const id = headers['webhook-id'] ?? '';
const time = headers['webhook-timestamp'] ?? '';
// A request without a body, or with a form, has no such file.
const body = await this.helpers.getBinaryDataBuffer(0, 'data').catch(() => Buffer.alloc(0));
const key = Buffer.from(SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
const right = hmac(key, Buffer.concat([Buffer.from(id + '.' + time + '.'), body]));
const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((part) =>
  part.startsWith('v1,') && isSame(Buffer.from(part.slice(3), 'base64'), right));
const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
if (!isSigned || !isFresh) return [{ json: { status: 401, accepted: false } }];
try {
  return [{ json: { status: 202, accepted: true, id, trigger: JSON.parse(body.toString('utf8')) } }];
} catch {
  return [{ json: { status: 400, accepted: false } }];
}
`;

/**
 * Returns the steps that verify a trigger, start a run and respond. The run is a separate execution, because n8n 1
 * cancels webhook executions when it shuts down, even those that have responded. n8n lets other executions finish.
 */
export function takeTrigger(path: string): Row {
  const trigger = withCredential('Atelier trigger', {
    name: 'Trigger',
    type: 'n8n-nodes-base.webhook',
    typeVersion: 2,
    webhookId: path,
    parameters: { httpMethod: 'POST', path, responseMode: 'responseNode', options: { rawBody: true } },
  });
  const check = code('Check the trigger', checkTrigger);
  const isAccepted = condition('Is it accepted?', '={{ $json.accepted }}');
  const start: Step = {
    name: 'Start the run',
    type: 'n8n-nodes-base.executeWorkflow',
    typeVersion: 1.1,
    parameters: {
      source: 'database',
      workflowId: { __rl: true, mode: 'id', value: '={{ $workflow.id }}' },
      options: { waitForSubWorkflow: false },
    },
  };
  const respond: Step = {
    name: 'Respond',
    type: 'n8n-nodes-base.respondToWebhook',
    typeVersion: 1.1,
    parameters: {
      respondWith: 'json',
      responseBody: '={{ JSON.stringify({ accepted: $json.accepted }) }}',
      options: { responseCode: '={{ $json.status }}' },
    },
  };
  return {
    steps: [trigger, check, isAccepted, start, respond],
    links: [
      { from: trigger.name, to: check.name },
      { from: check.name, to: isAccepted.name },
      { from: isAccepted.name, to: start.name },
      { from: isAccepted.name, output: 1, to: respond.name },
      { from: start.name, to: respond.name },
    ],
  };
}

/**
 * Returns the first steps of a run, which end it if another execution has taken it. A trigger arrives twice if the
 * response to it was lost, and then Atelier decides which execution takes the run. n8n itself cannot: its Remove
 * Duplicates node reads its memory and writes it back, so it misses simultaneous triggers. Later steps find the trigger
 * in the step `Trigger data`.
 */
export const startOfRun = (credential: string): Step[] => [
  {
    name: 'Run',
    type: 'n8n-nodes-base.executeWorkflowTrigger',
    typeVersion: 1.1,
    parameters: { inputSource: 'passthrough' },
  },
  // Creates a new item that expressions in later steps can refer to (see `compute`). The random number separates the
  // executions of several n8n instances.
  compute('Trigger data', {
    trigger: { type: 'object', expression: '$json.trigger' },
    url: { type: 'string', expression: '$json.trigger.callback.url' },
    body: {
      type: 'object',
      expression: `({
  job_id: $json.trigger.data.job_id,
  spec_upload_id: $json.trigger.data.spec_upload_id,
  status: 'running',
  execution: $execution.id + '-' + Math.random(),
})`,
    },
  }),
  callBack('Take the run', credential),
  condition('Is it taken?', '={{ $json.applied }}'),
];
