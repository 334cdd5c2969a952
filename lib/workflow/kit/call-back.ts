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

/** JavaScript source of a function that extracts the reason from a step's error. */
export const reasonOf = `// n8n's message contains the response of a service: 422 - "{\\"message\\":\\"…\\"}"
const reasonOf = (error) => {
  const message = String(error.message ?? error.description ?? error);
  let reason = message.replace(/^\\d{3} - /, '');
  for (let i = 0; i < 2; i += 1) {
    try {
      if (reason?.type === 'Buffer') reason = decodeURIComponent(reason.data.map((byte) => '%' + (byte + 256).toString(16).slice(1)).join(''));
      reason = JSON.parse(reason);
    } catch (notJson) {}
  }
  reason = reason?.error?.message ?? reason?.error ?? reason?.message ?? reason?.detail ?? reason;
  return typeof reason === 'string' && reason !== '' ? reason : message;
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
    `Open ${callBacks.map((step) => `**${step}**`).join(' and ')}. Under *Header Auth*, select \`${credential}\`, or create it: *Name* \`x-webhook-secret\`, *Value* your \`${secret}\`.`,
    'Open **Check the trigger**, and put your `WORKFLOW_SIGNING_SECRET` between the quotes of the first line.',
    ...more,
    'Select **Publish** (in n8n 1: switch the workflow to *Active*).',
    `Start Atelier with \`${setting}\` set to the *Production URL* of **Trigger**, which ends in \`/webhook/${path}\`.`,
  ];
  const list = steps.map((step, i) => `${i + 1}. ${step}`).join('\n');
  return `## ${title}\n${list}\n\nGive a new credential the suggested title: workflows that you import later then select it by themselves. n8n must reach Atelier at its \`APP_URL\`.`;
}
