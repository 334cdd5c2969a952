import { callBack, setUp } from './call-back';
import { asFile, code, request, workflow } from './n8n';
import { takeTrigger } from './take-trigger';

const report = `// Replace this with your own processing of the PDF's text. It counts numbered headings.
const { spec_upload_id } = $('Check the trigger').first().json.trigger.data;
const { text, error } = $input.first().json;
if (error || typeof text !== 'string') {
  return [{ json: { spec_upload_id, status: 'failed', error: 'The PDF could not be downloaded or read.' } }];
}
const sections = text.split('\\n').filter((line) => /^\\s*(section\\s+\\d+|\\d+(\\.\\d+)*\\.?\\s+\\S)/i.test(line));
return [{ json: { spec_upload_id, status: 'completed', sections_count: sections.length } }];
`;

/** An n8n workflow that takes a spec, reads its PDF, counts its sections and reports. */
export const specWorkflow = workflow(
  'Atelier: process a spec',
  `## Atelier: process a spec\n${setUp('WEBHOOK_SECRET')} It is \`SPEC_WORKFLOW_URL\`.`,
  [
    ...takeTrigger('atelier-spec'),
    request('Fetch the PDF', {
      method: 'GET',
      url: '={{ $json.trigger.data.url }}',
      options: asFile,
    }),
    {
      name: 'Extract the text',
      type: 'n8n-nodes-base.extractFromFile',
      typeVersion: 1,
      parameters: { operation: 'pdf', binaryPropertyName: 'data', options: {} },
      onError: 'continueRegularOutput',
    },
    code('Report', report),
    callBack,
  ],
);
