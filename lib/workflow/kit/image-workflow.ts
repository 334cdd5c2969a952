import { callBack, reasonOf, setUp } from './call-back';
import {
  asFile,
  code,
  condition,
  type N8nWorkflow,
  orError,
  request,
  type Step,
  withCredential,
  workflow,
} from './n8n';
import { takeTrigger } from './take-trigger';

const plan = `// One item per image, each with an upload slot.
const { data, upload } = $('Check the trigger').first().json.trigger;
const VARIANTS = 2;
return upload.slots.slice(0, VARIANTS).map((slot, i) => ({
  json: {
    variant_id: \`r\${data.run}-v\${i + 1}\`,
    slot,
    ask: {
      prompt: data.prompt,
      // The conversation so far, oldest first, for a model that takes one.
      messages: data.messages,
      size: data.options.size ?? '1024x1024',
      seed: (data.options.seed ?? 0) + i,
      safety: data.options.safety ?? null,
      // The image to start from: the variant to refine, else the job's input image.
      image_url: (data.variant ?? data.input_image)?.url ?? null,
      materials: data.materials,
    },
  },
}));
`;

const result = `// Whether this image is in its slot, or why not.
${reasonOf}
const { error } = $input.first().json;
// The slot is full: an earlier try has uploaded the image, but its response was lost.
const isThere = !error || /statusCode\\W+409\\b/.test(String(error.message));
return [{ json: isThere ? { error: null } : { error: reasonOf(error) } }];
`;

/** JavaScript: the images that the first `count` turns have uploaded, and the reasons of the others. */
const results = `const { data, callback } = $('Check the trigger').first().json.trigger;
const plans = $('Plan the images').all().map((item) => item.json);
const outputs = [];
const errors = [];
for (const [i, { variant_id, slot, ask }] of plans.slice(0, count).entries()) {
  const { error } = $('Result').first(0, i).json;
  if (error === null) outputs.push({ variant_id, path: slot.path, meta: { seed: ask.seed } });
  else errors.push(error);
}
`;

const report = `// Reports every uploaded image; without one, the run has failed.
const count = Infinity;
${results}const result = outputs.length > 0
  ? { status: 'succeeded', output_paths: outputs }
  : { status: 'failed', error: [...new Set(errors)].join(' ') };
return [{ json: { url: callback.url, body: { job_id: data.job_id, ...result } } }];
`;

const progress = `// Reports the images so far. Atelier shows them before the run has ended.
const count = $runIndex + 1;
${results}const body = {
  job_id: data.job_id,
  status: 'running',
  progress: count / plans.length,
  note: \`\${outputs.length} of \${plans.length} images\`,
  output_paths: outputs,
};
return [{ json: { url: callback.url, body } }];
`;

const credential = 'Atelier image callback';

function imageSteps(options: {
  id: string;
  name: string;
  path: string;
  /** Steps that follow each image, in the loop. */
  afterEach: Step[];
}): N8nWorkflow {
  const { id, name, path, afterEach } = options;
  const generate = withCredential(
    'Image model',
    request('Generate an image', {
      method: 'POST',
      url: 'https://your-image-model.example.com/generate',
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify($json.ask) }}',
      options: asFile,
    }),
  );
  const upload = request('Upload the image', {
    method: 'PUT',
    url: '={{ $json.slot.url }}',
    sendHeaders: true,
    headerParameters: { parameters: [{ name: 'content-type', value: '={{ $binary.data.mimeType }}' }] },
    sendBody: true,
    contentType: 'binaryData',
    inputDataFieldName: 'data',
    options: {},
  });
  const rest = [code('Result', result), ...afterEach];
  const at = 'One image at a time';
  return workflow({
    id,
    name,
    note: setUp({
      title: name,
      credential,
      callBacks: ['Call back', ...afterEach.filter((step) => step.credentials).map((step) => step.name)],
      secret: 'IMAGE_WEBHOOK_SECRET',
      path,
      setting: 'IMAGE_WORKFLOW_URL',
      more: [
        'Open **Generate an image**. Set *URL* to that of your image model, and under *Header Auth* select `Image model`, or create it with the header that your model requires (often *Name* `authorization`, *Value* `Bearer …`). The model must return a PNG, JPEG or WebP file.',
      ],
    }),
    steps: [
      ...takeTrigger(path),
      code('Plan the images', plan),
      // n8n retries a node only if its first item fails, so that each image needs a turn of its own.
      { name: at, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { options: {} } },
      code('Report', report),
      callBack('Call back', credential),
    ],
    loop: {
      at,
      steps: [
        orError(generate),
        condition('Is there an image?', '={{ !$json.error }}'),
        orError(upload),
        ...rest,
      ],
      links: [
        { from: at, output: 1, to: generate.name },
        { from: generate.name, to: 'Is there an image?' },
        { from: 'Is there an image?', to: upload.name },
        { from: 'Is there an image?', output: 1, to: 'Result' },
        { from: upload.name, to: 'Result' },
        ...rest.map((step, i) => ({ from: step.name, to: rest[i + 1]?.name ?? at })),
      ],
    },
  });
}

/** An n8n workflow that takes a run of an image job, calls an image model, uploads the images and reports. */
export const imageWorkflow = imageSteps({
  id: 'AtelierImageFlow',
  name: 'Atelier: generate images',
  path: 'atelier-image',
  afterEach: [],
});

/** The same, reporting each image as soon as it is there. */
export const imageProgressWorkflow = imageSteps({
  id: 'AtelierImageSoon',
  name: 'Atelier: generate images and show each at once',
  path: 'atelier-image-progress',
  // A report that is lost is not sent again: the next one has its images too.
  afterEach: [
    code('Progress', progress),
    { ...orError(callBack('Report progress', credential)), retryOnFail: false },
  ],
});
