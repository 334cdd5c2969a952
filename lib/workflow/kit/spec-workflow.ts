import { callBack, reasonOf, report, setUp } from './call-back';
import { asFile, orError, request, script, workflow } from './n8n';
import { startOfRun, takeTrigger } from './take-trigger';

const reportBody = `// Replace this with your own processing of the PDF's text. It counts numbered headings. Since this is an expression,
// put a space between two closing braces. To show these sections instead of the outline of the PDF, add to the result:
// sections: sections.slice(0, 2000).map((title) => ({ title }))
${reasonOf}
const { spec_upload_id } = $('Trigger data').first().json.trigger.data;
const failed = (error) => ({ spec_upload_id, status: 'failed', error });

const download = $('Download the PDF').first().json;
if (download.error) return failed('The PDF could not be downloaded: ' + reasonOf(download.error));
const { text, error } = $json;
if (error) return failed('The PDF could not be read: ' + reasonOf(error));
if (typeof text !== 'string' || text.trim() === '') return failed('The PDF has no text.');
const sections = text.split('\\n').filter((line) => /^\\s*(section\\s+\\d+|\\d+(\\.\\d+)*\\.?\\s+\\S)/i.test(line));
return { spec_upload_id, status: 'completed', sections_count: sections.length };
`;

const credential = 'Atelier spec callback';
const path = 'atelier-spec';

/** An n8n workflow that accepts a spec, reads its PDF, counts its sections and reports the result. */
export const specWorkflow = workflow({
  id: 'AtelierSpecFlow1',
  name: 'Atelier: process a spec',
  note: setUp({
    title: 'Atelier: process a spec',
    credential,
    callBacks: ['Take the run', 'Call back'],
    secret: 'WEBHOOK_SECRET',
    path,
    setting: 'SPEC_WORKFLOW_URL',
  }),
  rows: [
    takeTrigger(path),
    {
      steps: [
        ...startOfRun(credential),
        orError(
          request('Download the PDF', {
            method: 'GET',
            url: "={{ $('Trigger data').first().json.trigger.data.url }}",
            options: asFile,
          }),
        ),
        orError({
          name: 'Extract the text',
          type: 'n8n-nodes-base.extractFromFile',
          typeVersion: 1,
          parameters: { operation: 'pdf', binaryPropertyName: 'data', options: {} },
        }),
        report('Report', script(reportBody)),
        callBack('Call back', credential),
      ],
    },
  ],
});
