import { callBack, reasonOf, report, setUp } from './call-back';
import {
  asFile,
  compute,
  condition,
  type N8nWorkflow,
  orError,
  request,
  type Step,
  script,
  withCredential,
  workflow,
} from './n8n';
import { startOfRun, takeTrigger } from './take-trigger';

const plan = `// The images to make, each with an upload slot.
const { data, upload } = $json.trigger;
// How many images to make if the request does not say.
const USUAL_COUNT = 2;
return upload.slots.slice(0, data.options.count ?? USUAL_COUNT).map((slot, i) => ({
  variant_id: \`r\${data.run}-v\${i + 1}\`,
  slot,
  request: {
    prompt: data.prompt,
    // The conversation so far, oldest first, for a model that takes one.
    messages: data.messages,
    size: data.options.size ?? '1024x1024',
    seed: (data.options.seed ?? 0) + i,
    safety: data.options.safety ?? null,
    // The image to start from: the variant to refine, else the job's input image.
    image_url: (data.variant ?? data.input_image)?.url ?? null,
    // A PNG of the size of that image: white where the image is to change, black where it is to stay.
    mask_url: data.mask?.url ?? null,
    materials: data.materials,
  },
}));
`;

const whyMissing = `// Why this image is not in its slot; empty if it is.
${reasonOf}
const { error } = $json;
// The slot is full: an earlier try has uploaded the image, but its response was lost.
const isThere = !error || /statusCode\\W+409\\b/.test(String(error.message));
return isThere ? '' : reasonOf(error);
`;

/**
 * JavaScript source that goes through the first `count` images. The code before it must define `count`. It collects the
 * uploaded images in `outputs`, and the reasons why the other images are missing in `reasons`.
 */
const results = `const { job_id } = $('Trigger data').first().json.trigger.data;
const { images } = $('Plan the images').first().json;
const outputs = [];
const reasons = [];
images.slice(0, count).forEach(({ variant_id, slot, request }, i) => {
  const { missing } = $('Result').first(0, i).json;
  if (missing === '') outputs.push({ variant_id, path: slot.path, meta: { seed: request.seed } });
  else reasons.push(missing);
});
`;

const reportBody = `// Reports every uploaded image, and why others are missing; without one, the run has failed.
const count = Infinity;
${results}const error = reasons.filter((reason, i) => reasons.indexOf(reason) === i).join(' ');
if (outputs.length === 0) return { job_id, status: 'failed', error };
const body = { job_id, status: 'succeeded', output_paths: outputs };
if (error !== '') body.error = \`\${reasons.length} of \${images.length} images could not be made: \${error}\`;
return body;
`;

const progressBody = `// Reports the images so far. Atelier shows them before the run has ended.
const count = $runIndex + 1;
${results}return {
  job_id,
  status: 'running',
  progress: count / images.length,
  note: \`\${outputs.length} of \${images.length} images\`,
  output_paths: outputs,
};
`;

const credential = 'Atelier image callback';

function imageSteps(options: {
  id: string;
  name: string;
  path: string;
  /** The steps that follow each image, inside the loop. */
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
      jsonBody: '={{ JSON.stringify($json.request) }}',
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
  const rest = [
    compute('Result', { missing: { type: 'string', expression: script(whyMissing) } }),
    ...afterEach,
  ];
  const at = 'One image at a time';
  const run: Step[] = [
    ...startOfRun(path),
    compute('Plan the images', { images: { type: 'array', expression: script(plan) } }),
    {
      name: 'One item per image',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'images', options: {} },
    },
    // If a node has `onError`, n8n retries it only when its first item fails. Therefore, the loop processes one image
    // at a time.
    { name: at, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: { options: {} } },
    report('Report', script(reportBody)),
    callBack('Call back', credential),
  ];
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
    rows: [
      takeTrigger(path),
      { steps: run },
      {
        column: run.findIndex((step) => step.name === at),
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
    ],
  });
}

/** An n8n workflow that accepts an image job, calls an image model, uploads the images and reports the result. */
export const imageWorkflow = imageSteps({
  id: 'AtelierImageFlow',
  name: 'Atelier: generate images',
  path: 'atelier-image',
  afterEach: [],
});

/** Like `imageWorkflow`, but reports each image as soon as it is available. */
export const imageProgressWorkflow = imageSteps({
  id: 'AtelierImageSoon',
  name: 'Atelier: generate images and show each at once',
  path: 'atelier-image-progress',
  // A lost progress report is not sent again, because the next report contains its images too.
  afterEach: [
    report('Progress', script(progressBody)),
    { ...orError(callBack('Report progress', credential)), retryOnFail: false },
  ],
});
