import { callBack, setUp } from './call-back';
import { asFile, code, headerCredential, request, workflow } from './n8n';
import { takeTrigger } from './take-trigger';

const plan = `// One item for each picture that is wanted; every one has a slot to be put into.
const { trigger } = $('Check the trigger').first().json;
const { data, upload } = trigger;
const VARIANTS = 2;
return upload.slots.slice(0, VARIANTS).map((slot, i) => ({
  json: {
    variant_id: \`r\${data.run}-v\${i + 1}\`,
    slot,
    ask: {
      prompt: data.prompt,
      size: data.options.size ?? '1024x1024',
      seed: (data.options.seed ?? 0) + i,
      // What to start from: the variant to refine, else the image that the job began with.
      image_url: (data.variant ?? data.input_image)?.url ?? null,
      materials: data.materials,
    },
  },
}));
`;

const report = `// What was put into its slot is reported; the run has failed when there is none.
const { job_id } = $('Check the trigger').first().json.trigger.data;
const plans = $('Plan the pictures').all();
const output_paths = $input.all().flatMap((item, i) => {
  const { variant_id, slot, ask } = plans[i].json;
  return item.json.error ? [] : [{ variant_id, path: slot.path, meta: { seed: ask.seed } }];
});
if (output_paths.length > 0) return [{ json: { job_id, status: 'succeeded', output_paths } }];
return [{ json: { job_id, status: 'failed', error: 'No picture could be made.' } }];
`;

/** Takes a run of an image job, asks a model for pictures, puts each into its slot and reports. */
export const imageWorkflow = workflow(
  'Atelier: generate images',
  `## Atelier: generate images\n${setUp('IMAGE_WEBHOOK_SECRET')} It is \`IMAGE_WORKFLOW_URL\`.\n5. **Make a picture**: put the address of your image model here, and its credential. It must answer with a PNG, JPEG or WebP.`,
  [
    ...takeTrigger('atelier-image'),
    code('Plan the pictures', plan),
    request('Make a picture', {
      method: 'POST',
      url: 'https://your-image-model.example.com/generate',
      ...headerCredential,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify($json.ask) }}',
      options: asFile,
    }),
    request('Put it into its slot', {
      method: 'PUT',
      url: "={{ $('Plan the pictures').item.json.slot.url }}",
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'content-type', value: '={{ $binary.data.mimeType }}' }] },
      sendBody: true,
      contentType: 'binaryData',
      inputDataFieldName: 'data',
      options: {},
    }),
    code('Report', report),
    callBack,
  ],
);
