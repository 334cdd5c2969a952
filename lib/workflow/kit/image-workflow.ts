import { callBack, setUp } from './call-back';
import { asFile, code, headerCredential, request, workflow } from './n8n';
import { takeTrigger } from './take-trigger';

const plan = `// One item per image, each with an upload slot.
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
      // The image to start from: the variant to refine, else the job's input image.
      image_url: (data.variant ?? data.input_image)?.url ?? null,
      materials: data.materials,
    },
  },
}));
`;

const report = `// Reports every uploaded image; without one, the run has failed.
const { job_id } = $('Check the trigger').first().json.trigger.data;
const plans = $('Plan the images').all();
const output_paths = $input.all().flatMap((item, i) => {
  const { variant_id, slot, ask } = plans[i].json;
  return item.json.error ? [] : [{ variant_id, path: slot.path, meta: { seed: ask.seed } }];
});
if (output_paths.length > 0) return [{ json: { job_id, status: 'succeeded', output_paths } }];
return [{ json: { job_id, status: 'failed', error: 'No image could be generated.' } }];
`;

/** An n8n workflow that takes a run of an image job, calls an image model, uploads the images and reports. */
export const imageWorkflow = workflow(
  'Atelier: generate images',
  `## Atelier: generate images\n${setUp('IMAGE_WEBHOOK_SECRET')} It is \`IMAGE_WORKFLOW_URL\`.\n5. **Generate an image**: set the URL and the credential of your image model. It must return a PNG, JPEG or WebP.`,
  [
    ...takeTrigger('atelier-image'),
    code('Plan the images', plan),
    request('Generate an image', {
      method: 'POST',
      url: 'https://your-image-model.example.com/generate',
      ...headerCredential,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify($json.ask) }}',
      options: asFile,
    }),
    request('Upload the image', {
      method: 'PUT',
      url: "={{ $('Plan the images').item.json.slot.url }}",
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
