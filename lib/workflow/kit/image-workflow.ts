import { callBack, reasonOf, report, setUp } from './call-back';
import {
  asFile,
  choice,
  compute,
  makeFile,
  type N8nWorkflow,
  orError,
  pause,
  readFile,
  request,
  type Step,
  script,
  withCredential,
  workflow,
} from './n8n';
import { startOfRun, takeTrigger } from './take-trigger';

const plan = `// The images to make, each with an upload slot.
const { data, upload } = $('Trigger data').first().json.trigger;
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

const MAX_TRIES = 5;
/** What the image workflow does with an item next: the outputs of its Switch node. */
const next = { upload: 0, readText: 1, readBytes: 2, download: 3, makeFile: 4, pause: 5, giveUp: 6 };

const whatNext = `// An item has the answer of the model or a download (a file), or what was found in a JSON answer.
const { statusCode, error, answer } = $json;
if (error || answer?.missing) return ${next.giveUp};
const isTemporary = [408, 425, 429].includes(statusCode) || statusCode >= 500;
if (isTemporary && $('Image to make').first().json.attempt < ${MAX_TRIES}) return ${next.pause};
const type = $binary.data?.mimeType;
if (!type) return answer.url ? ${next.download} : ${next.makeFile};
if (statusCode >= 300) return ${next.readText};
if (['image/png', 'image/jpeg', 'image/webp'].includes(type)) return ${next.upload};
if (/json|text|xml/.test(type)) return ${next.readText};
// Another type can be wrong: n8n then recognizes the file by its bytes, which leaves neither field.
return statusCode || answer ? ${next.readBytes} : ${next.giveUp};
`;

const findImage = `// Finds the image in a JSON answer, as a URL or base64, or the reason why there is none.
${reasonOf}
const keys = ['b64_json', 'base64', 'image_base64', 'url', 'image_url', 'image', 'images', 'data', 'output', 'result'];
const imageIn = (value) => {
  if (typeof value === 'string') {
    return /^(https?:|data:image\\/|iVBORw0KGgo|\\/9j\\/|UklGR|R0lGOD)/.test(value) ? value : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  return (Array.isArray(value) ? value : keys.map((key) => value[key])).map(imageIn).find(Boolean);
};
const { statusCode, text, answer } = $json;
const body = parsed(text);
const reason = wordsOf(body).slice(0, 500);
if (statusCode >= 300) return { missing: reason || \`The image model answered HTTP \${statusCode}.\` };
if (answer?.url) return { missing: 'The image model returned a URL without an image.' };
const image = imageIn(body);
if (!image) return { missing: reason || 'The image model returned no image.' };
return /^http/.test(image) ? { url: image } : { base64: image.replace(/^data:[^,]*,/, '') };
`;

const whyMissing = `// Why this image is not in its slot; empty if it is.
${reasonOf}
const { error, answer } = $json;
if (answer?.missing) return answer.missing;
const type = $binary.data?.mimeType;
if (type) return \`The image model returned \${type} instead of a PNG, JPEG or WebP file.\`;
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
      jsonBody: '={{ JSON.stringify($json.image.request) }}',
      options: {
        response: { response: { ...asFile.response.response, neverError: true, fullResponse: true } },
      },
    }),
  );
  const download = request('Download the image', {
    method: 'GET',
    url: '={{ $json.answer.url }}',
    options: asFile,
  });
  const upload = request('Upload the image', {
    method: 'PUT',
    url: "={{ $('Image to make').first().json.image.slot.url }}",
    sendHeaders: true,
    headerParameters: { parameters: [{ name: 'content-type', value: '={{ $binary.data.mimeType }}' }] },
    sendBody: true,
    contentType: 'binaryData',
    inputDataFieldName: 'data',
    options: {},
  });
  const steps = {
    // A retry continues with the answer of the model, which has a status code, instead of the image.
    start: compute('Image to make', {
      attempt: {
        type: 'number',
        expression: "$json.statusCode ? $('Image to make').first().json.attempt + 1 : 1",
      },
      image: {
        type: 'object',
        expression: "$json.statusCode ? $('Image to make').first().json.image : $json",
      },
    }),
    generate: orError(generate),
    whatNext: choice('What next?', Object.keys(next).length, script(whatNext)),
    readText: orError(readFile('Read the answer', 'text', 'text')),
    findImage: compute('Find the image', { answer: { type: 'object', expression: script(findImage) } }),
    download: orError(download),
    readBytes: orError(readFile('Read the bytes', 'binaryToPropery', 'answer.base64')),
    makeFile: orError(makeFile('Make a file', 'answer.base64')),
    pause: pause('Before the next try', `${path}-next-try`, 5),
    upload: orError(upload),
  } satisfies Record<string, Step>;
  const rest = [
    compute('Result', { missing: { type: 'string', expression: script(whyMissing) } }),
    ...afterEach,
  ];
  const at = 'One image at a time';
  const run: Step[] = [
    ...startOfRun(credential),
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
      callBacks: [
        'Take the run',
        'Call back',
        ...afterEach.filter((step) => step.credentials).map((step) => step.name),
      ],
      secret: 'IMAGE_WEBHOOK_SECRET',
      path,
      setting: 'IMAGE_WORKFLOW_URL',
      more: [
        'Open **Generate an image**. Set *URL* to that of your image model, and under *Header Auth* select `Image model`, or create it with the header that your model requires (often *Name* `authorization`, *Value* `Bearer …`). The model must return a PNG, JPEG or WebP file, or JSON with its URL or base64.',
      ],
    }),
    rows: [
      takeTrigger(path),
      { steps: run },
      {
        column: run.findIndex((step) => step.name === at),
        steps: [...Object.values(steps), ...rest],
        links: [
          { from: at, output: 1, to: steps.start.name },
          { from: steps.start.name, to: steps.generate.name },
          { from: steps.generate.name, to: steps.whatNext.name },
          ...(['upload', 'readText', 'readBytes', 'download', 'makeFile', 'pause'] as const).map((step) => {
            return { from: steps.whatNext.name, output: next[step], to: steps[step].name };
          }),
          { from: steps.whatNext.name, output: next.giveUp, to: 'Result' },
          { from: steps.pause.name, to: steps.start.name },
          { from: steps.readText.name, to: steps.findImage.name },
          { from: steps.findImage.name, to: steps.whatNext.name },
          { from: steps.download.name, to: steps.whatNext.name },
          { from: steps.readBytes.name, to: steps.makeFile.name },
          { from: steps.makeFile.name, to: steps.whatNext.name },
          { from: steps.upload.name, to: 'Result' },
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
