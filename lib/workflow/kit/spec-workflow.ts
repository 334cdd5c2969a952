import { callBack, reasonOf, setUp } from './call-back';
import { asFile, code, orError, request, workflow } from './n8n';
import { takeTrigger } from './take-trigger';

const report = `// Replace this with your own processing of the PDF's text. It counts numbered headings.
${reasonOf}
const { data, callback } = $('Check the trigger').first().json.trigger;
const done = (result) => [{ json: { url: callback.url, body: { spec_upload_id: data.spec_upload_id, ...result } } }];
const failed = (error) => done({ status: 'failed', error });

const download = $('Download the PDF').first().json;
if (download.error) return failed('The PDF could not be downloaded: ' + reasonOf(download.error));
const { text, error } = $input.first().json;
if (error) return failed('The PDF could not be read: ' + reasonOf(error));
if (typeof text !== 'string' || text.trim() === '') return failed('The PDF has no text.');
const sections = text.split('\\n').filter((line) => /^\\s*(section\\s+\\d+|\\d+(\\.\\d+)*\\.?\\s+\\S)/i.test(line));
return done({ status: 'completed', sections_count: sections.length });
`;

const credential = 'Atelier spec callback';

/** An n8n workflow that takes a spec, reads its PDF, counts its sections and reports. */
export const specWorkflow = workflow({
  id: 'AtelierSpecFlow1',
  name: 'Atelier: process a spec',
  note: setUp({
    title: 'Atelier: process a spec',
    credential,
    callBacks: ['Call back'],
    secret: 'WEBHOOK_SECRET',
    path: 'atelier-spec',
    setting: 'SPEC_WORKFLOW_URL',
  }),
  steps: [
    ...takeTrigger('atelier-spec'),
    orError(
      request('Download the PDF', { method: 'GET', url: '={{ $json.trigger.data.url }}', options: asFile }),
    ),
    orError({
      name: 'Extract the text',
      type: 'n8n-nodes-base.extractFromFile',
      typeVersion: 1,
      parameters: { operation: 'pdf', binaryPropertyName: 'data', options: {} },
    }),
    code('Report', report),
    callBack('Call back', credential),
  ],
});
