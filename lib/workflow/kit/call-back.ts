import { headerCredential, request } from './n8n';

/** The last step: reports to the address that came with the trigger. */
export const callBack = request('Call back', {
  method: 'POST',
  url: "={{ $('Check the trigger').first().json.trigger.callback.url }}",
  ...headerCredential,
  sendBody: true,
  specifyBody: 'json',
  jsonBody: '={{ JSON.stringify($json) }}',
  options: {},
});

/** What every importer has to do, in Markdown. */
export const setUp = (
  secret: string,
) => `1. **Trigger**: make a *Header Auth* credential named \`x-workflow-token\` with the value of Atelier's \`WORKFLOW_TOKEN\`, and choose it.
2. **Check the trigger**: put Atelier's \`WORKFLOW_SIGNING_SECRET\` into its first line.
3. **Call back**: make a *Header Auth* credential named \`x-webhook-secret\` with the value of Atelier's \`${secret}\`, and choose it.
4. Activate the workflow and give its production address to Atelier.`;
