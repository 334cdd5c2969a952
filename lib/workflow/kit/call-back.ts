import { compute, request, type Step, withCredential } from './n8n';

/** Returns a step that posts `body` to the trigger's callback URL. Expects items of the form `{ url, body }`. */
export const callBack = (name: string, credential: string): Step =>
  withCredential(
    credential,
    request(name, {
      method: 'POST',
      url: '={{ $json.url }}',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify($json.body) }}',
      options: {},
    }),
  );

/** Returns a step that creates the item for `callBack`. `body` is an expression that computes the request body. */
export const report = (name: string, body: string): Step => ({
  ...compute(name, {
    url: { type: 'string', expression: "$('Trigger data').first().json.trigger.callback.url" },
    body: { type: 'object', expression: body },
  }),
  executeOnce: true,
});

/** JavaScript source of functions that find the reason in an answer of a service and in a step's error. */
export const reasonOf = `// The words for people in text or JSON: '' for HTML and other text that is not meant for people.
const wordsOf = (answer) => {
  if (typeof answer === 'string') return /<[a-z!]|[\\x00-\\x08\\ufffd]/i.test(answer) ? '' : answer.trim();
  if (Array.isArray(answer)) return answer.map(wordsOf).filter(Boolean).join(' ');
  if (typeof answer !== 'object' || answer === null) return '';
  const { message, error, detail, errors, msg } = answer;
  return [message, error, detail, errors, msg].map(wordsOf).find(Boolean) ?? '';
};
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch (notJson) {
    return text;
  }
};
// n8n's message contains the answer of a service: 422 - "{\\"message\\":\\"…\\"}"
const reasonOf = (error) => {
  const message = String(error.message ?? error.description ?? error);
  const [, status, text] = /^(\\d{3}) - ([^]*)/.exec(message) ?? [null, null, message];
  let answer = text;
  for (let i = 0; i < 2; i += 1) {
    if (answer?.type === 'Buffer') answer = decodeURIComponent(answer.data.map((byte) => '%' + (byte + 256).toString(16).slice(1)).join(''));
    if (typeof answer === 'string') answer = parsed(answer);
  }
  return wordsOf(answer) || (status ? 'HTTP ' + status + '.' : message);
};
`;

/** Returns a workflow's setup instructions in Markdown. */
export function setUp(options: {
  title: string;
  /** The title of the credential for the callback. */
  credential: string;
  /** The names of the steps that need the credential. */
  callBacks: string[];
  secret: string;
  path: string;
  setting: string;
  /** Additional instructions, shown before the instruction to publish the workflow. */
  more?: string[];
}): string {
  const { title, credential, callBacks, secret, path, setting, more = [] } = options;
  const steps = [
    `You need three of Atelier's settings: \`WORKFLOW_TOKEN\`, \`WORKFLOW_SIGNING_SECRET\` and \`${secret}\`. On your own machine, \`npm start\` generates them and prints the path of their file (\`.atelier/env\`).`,
    'Open **Trigger**. Under *Credential for Header Auth*, select `Atelier trigger`, or create it: *Name* `x-workflow-token`, *Value* your `WORKFLOW_TOKEN`.',
    `Open ${callBacks.map((step) => `**${step}**`).join(', ')}. Under *Header Auth*, select \`${credential}\`, or create it: *Name* \`x-webhook-secret\`, *Value* your \`${secret}\`.`,
    'Open **Check the trigger**, and put your `WORKFLOW_SIGNING_SECRET` between the quotes of the first line.',
    ...more,
    'Select **Publish** (in n8n 1: switch the workflow to *Active*).',
    `Start Atelier with \`${setting}\` set to the *Production URL* of **Trigger**, which ends in \`/webhook/${path}\`.`,
  ];
  const list = steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
  return `## ${title}\n${list}\n\nGive a new credential the suggested title: workflows that you import later then select it by themselves. n8n must reach Atelier at its \`APP_URL\`.`;
}
