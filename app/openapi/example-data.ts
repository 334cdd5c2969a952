// Data shared by the examples in the OpenAPI document, so that ids and names in different examples match.

export const specUploadId = '8d1c1a52-6a4e-4d0e-9a52-0f6f3c1f6a11';
export const documentId = '2b8f9a34-97b3-4f0c-8a7a-5d0c3f3b7e20';
export const projectId = '5f0f7c1e-1b7a-4f0e-9b25-6d1a0c3e4f52';
export const jobId = 'c0a7e6d4-3e5b-4f7a-8a94-7b3d2e1f0a63';
export const maskImageId = '3f6d2b18-9c4a-4e57-a1b0-6d8e2f9c7a45';
export const swapId = 'd2b7c1e5-8f3a-4b6d-a1c9-5e4f3d2c1b0a';
export const endpointId = '9b1d2c3e-4f5a-4b6c-8d7e-0f1a2b3c4d5e';
export const eventId = '6c5b4a39-2817-4f06-95e4-d3c2b1a09f8e';
export const versionId = '7a4e1d0c-52b6-4c3f-9e8d-1f2a3b4c5d6e';
export const prefix = `images/projects/${projectId}/jobs/${jobId}/2/`;
export const at = '2026-11-21T09:30:00.000Z';
export const storage = 'https://project.supabase.co/storage/v1';
export const received = { received: true, applied: true };

export const documentSummaryExample = {
  id: 'b3c4d5e6-7f80-4912-a3b4-c5d6e7f80912',
  name: 'Spec book',
  isMain: false,
  version: 12,
  savedAt: at,
  savedBy: 'd4e5f607-1829-4a3b-8c4d-5e6f70819203',
  archivedAt: null,
  restorableUntil: null,
};

export const pageTemplateExample = {
  id: '4e5f6071-8293-4a4b-9c5d-6e7f80910213',
  name: 'Material board',
  pageCount: 1,
  canChange: true,
  createdAt: at,
};

export const specVersionExample = {
  specUploadId,
  version: 2,
  isCurrent: true,
  fileName: 'lobby-v2.pdf',
  status: 'completed',
  sectionsCount: 12,
  createdAt: at,
};
export const olderSpecVersion = {
  ...specVersionExample,
  specUploadId: '0e9d8c7b-6a5f-4e3d-8c2b-1a0f9e8d7c6b',
  version: 1,
  isCurrent: false,
  fileName: 'lobby.pdf',
};

export const accessTokenExample = {
  id: 'e3b9a1c4-6d2f-4a58-9c07-1f8e5d4b3a26',
  name: 'Nightly upload',
  kind: 'personal',
  role: 'editor',
  hint: '4f2a',
  owner: 'editor@studio.example',
  createdBy: 'editor@studio.example',
  createdAt: at,
  expiresAt: '2027-02-19T09:30:00.000Z',
  lastUsedAt: null,
};

export const projectFontExample = {
  id: '8c1f0b7e-52a4-4f0e-9d53-6a4c2f1b7d90',
  name: 'Studio Serif',
  bold: false,
  italic: false,
  fileName: 'StudioSerif-Regular.otf',
  createdAt: '2026-11-21T09:30:00.000Z',
};

export const shareLinkExample = {
  id: '7a6b5c4d-3e2f-4a1b-8c9d-0e1f2a3b4c5d',
  kind: 'images',
  name: 'First review',
  imageCount: 1,
  allowDownload: true,
  showPrompts: false,
  createdBy: 'editor@studio.example',
  createdAt: at,
  expiresAt: '2026-11-28T09:30:00.000Z',
  openedCount: 0,
  lastOpenedAt: null,
};

export const variantExample = {
  id: 'a4d1f0b2-5c3e-4d6f-9b7a-8e9f0a1b2c3d',
  variant_id: 'v1',
  number: 1,
  path: `${prefix}1-1`,
  thumb_path: `${prefix}1-5`,
  meta: { seed: 7 },
  url: `${storage}/object/sign/${prefix}1-1?token=…`,
  thumb_url: `${storage}/object/sign/${prefix}1-5?token=…`,
  width: 1024,
  height: 768,
  run: 2,
  created_at: at,
  starred_at: null,
};

export const imageJobExample = {
  jobId,
  projectId,
  status: 'succeeded',
  statusSeq: 3,
  run: 2,
  prompt: 'A calm lobby with oak panels',
  inputImageId: null,
  inputImagePath: null,
  pageId: null,
  materialIds: ['oak_veneer_01'],
  materialPayload: [
    { id: 'oak_veneer_01', name: 'Oak Veneer 01', imageUrl: 'https://cdn.example.com/oak.png' },
  ],
  options: { size: '1024x768', seed: 7, safety: 'strict', count: 4 },
  error: null,
  progress: null,
  progressAt: null,
  note: null,
  retrying: null,
  createdBy: '7a1e2f3c-4b5d-4e6f-8a7b-9c0d1e2f3a4b',
  createdAt: at,
  updatedAt: at,
  startedAt: at,
  finishedAt: at,
  deadlineAt: '2026-11-21T09:40:00.000Z',
  cover: variantExample,
  swapId: null,
  swapWhere: null,
};

export const imageSwapExample = {
  swapId,
  projectId,
  where: 'the wall panels',
  seed: 7,
  source: variantExample,
  sourceJobId: jobId,
  createdBy: imageJobExample.createdBy,
  createdAt: at,
};

export const page = {
  id: 'lobby',
  title: 'Lobby',
  elements: [
    {
      id: 'title',
      type: 'text',
      x: 20,
      y: 30,
      w: 100,
      h: 20,
      blocks: [{ type: 'heading', level: 1, runs: [{ text: 'The lobby' }] }],
    },
  ],
};

export const source = {
  name: 'Poly Haven',
  url: 'https://polyhaven.com',
  license: 'CC0',
  credit: 'Materials from Poly Haven',
};

export const material = {
  id: 'oak_veneer_01',
  type: 'textures',
  name: 'Oak Veneer 01',
  tags: ['oak', 'panel'],
  categories: ['wood'],
  thumbnail_url: 'https://cdn.polyhaven.com/asset_img/thumbs/oak_veneer_01.png?width=256',
  download_count: 51234,
  downloads_per_day: 34.5,
  published_at: '2022-05-10T00:00:00.000Z',
  description: 'A light oak veneer.',
  authors: [{ name: 'A. Maker', credit: 'Everything' }],
  max_resolution: [8192, 8192],
  dimensions_mm: [2000, 2000],
  color: '#c9a06a',
};

export const trigger = { timestamp: at, attempt: 1 };
