import { code, type N8nNode } from './n8n';

const checkTrigger = `// Put WORKFLOW_SIGNING_SECRET here. A self-hosted n8n must allow the module: NODE_FUNCTION_ALLOW_BUILTIN=crypto
const SIGNING_SECRET = 'whsec_PUT_YOURS_HERE';

const { createHmac, timingSafeEqual } = require('crypto');
const { headers } = $input.first().json;
const body = (await this.helpers.getBinaryDataBuffer(0, 'data')).toString('utf8');

// Standard Webhooks: a signature over id, timestamp and the bytes of the body.
const id = headers['webhook-id'] ?? '';
const time = headers['webhook-timestamp'] ?? '';
const key = Buffer.from(SIGNING_SECRET.replace(/^whsec_/, ''), 'base64');
const right = createHmac('sha256', key).update(\`\${id}.\${time}.\${body}\`).digest();
const isSigned = (headers['webhook-signature'] ?? '').split(' ').some((part) => {
  const given = Buffer.from(part.replace(/^v1,/, ''), 'base64');
  return part.startsWith('v1,') && given.length === right.length && timingSafeEqual(given, right);
});
const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
if (!isSigned || !isFresh) return [{ json: { status: 401, work: false } }];

// A trigger whose response was lost is sent again with the same id; process it only once.
const memory = $getWorkflowStaticData('global');
const seen = memory.seen ?? [];
const isNew = !seen.includes(id);
if (isNew) memory.seen = [...seen.slice(-499), id];
return [{ json: { status: 202, work: isNew, trigger: JSON.parse(body) } }];
`;

/** The steps before the work: verify the trigger, respond, and drop repeats. */
export function takeTrigger(path: string): Omit<N8nNode, 'id' | 'position'>[] {
  return [
    {
      name: 'Trigger',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      webhookId: path,
      parameters: {
        httpMethod: 'POST',
        path,
        authentication: 'headerAuth',
        responseMode: 'responseNode',
        options: { rawBody: true },
      },
    },
    code('Check the trigger', checkTrigger),
    {
      name: 'Respond',
      type: 'n8n-nodes-base.respondToWebhook',
      typeVersion: 1.1,
      parameters: {
        respondWith: 'json',
        responseBody: '={{ JSON.stringify({ accepted: $json.status === 202 }) }}',
        options: { responseCode: '={{ $json.status }}' },
      },
    },
    {
      name: 'Is there work?',
      type: 'n8n-nodes-base.if',
      typeVersion: 2.2,
      parameters: {
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
          conditions: [
            {
              id: 'work',
              leftValue: '={{ $json.work }}',
              rightValue: '',
              operator: { type: 'boolean', operation: 'true', singleValue: true },
            },
          ],
          combinator: 'and',
        },
        options: {},
      },
    },
  ];
}
