import { headerCredential, request } from './n8n';

/** The last step: reports to the callback URL of the trigger. */
export const callBack = request('Call back', {
  method: 'POST',
  url: "={{ $('Check the trigger').first().json.trigger.callback.url }}",
  ...headerCredential,
  sendBody: true,
  specifyBody: 'json',
  jsonBody: '={{ JSON.stringify($json) }}',
  options: {},
});

/** Setup instructions in Markdown. */
export const setUp = (
  secret: string,
) => `1. **Trigger**: create a *Header Auth* credential named \`x-workflow-token\` with the value of Atelier's \`WORKFLOW_TOKEN\`, and select it.
2. **Check the trigger**: put Atelier's \`WORKFLOW_SIGNING_SECRET\` into its first line.
3. **Call back**: create a *Header Auth* credential named \`x-webhook-secret\` with the value of Atelier's \`${secret}\`, and select it.
4. Activate the workflow and set its production URL in Atelier.`;
