import type { Example } from '@/lib/http/openapi/operation';
import {
  accessTokenExample,
  at,
  documentId,
  documentSummaryExample,
  endpointId,
  eventId,
  imageJobExample,
  imageSwapExample,
  jobId,
  maskImageId,
  material,
  olderSpecVersion,
  page,
  pageTemplateExample,
  prefix,
  projectFontExample,
  projectId,
  received,
  shareLinkExample,
  source,
  specUploadId,
  specVersionExample,
  storage,
  swapId,
  trigger,
  variantExample,
  versionId,
} from './example-data';

/**
 * Examples for documented calls, for the two triggers and for one event. The keys of the calls are operation ids. Tests
 * validate the examples against the schemas.
 */
export const examples: Record<string, Example> = {
  getAdminBrands: { response: { brands: ['Fjell', 'Nordlys'] } },
  postAdminBrands: { body: { name: 'Nordlys' }, response: { name: 'Nordlys' } },
  getAdminAreas: { response: { areas: ['Lobby', 'Spa'] } },
  postAdminAreas: { body: { name: 'Lobby' }, response: { name: 'Lobby' } },
  getAdminCatalogue: {
    response: { brands: [{ name: 'Nordlys', specs: 12 }], areas: [{ name: 'Lobby', specs: 12 }] },
  },
  postAdminBrandsRename: {
    body: { name: 'Nordlys', newName: 'Nordlys Hotels' },
    response: { name: 'Nordlys Hotels' },
  },
  postAdminBrandsMerge: {
    body: { name: 'Nordlys Hotels', into: 'Nordlys' },
    response: { name: 'Nordlys', specs: 12 },
  },
  postAdminBrandsDelete: { body: { name: 'Nordlys Hotels' } },
  postAdminAreasRename: {
    body: { name: 'Lobby', newName: 'Lobby and bar' },
    response: { name: 'Lobby and bar' },
  },
  postAdminAreasMerge: {
    body: { name: 'Lobby and bar', into: 'Lobby' },
    response: { name: 'Lobby', specs: 12 },
  },
  postAdminAreasDelete: { body: { name: 'Lobby and bar' } },
  postAdminSpecsUpload: { response: { specUploadId, documentId, status: 'pending' } },
  postAdminSpecsRetry: { body: { specUploadId }, response: { specUploadId, status: 'pending' } },
  postAdminSpecsProcessAgain: { body: { specUploadId }, response: { specUploadId, status: 'pending' } },
  postAdminSpecsBatchRetry: {
    body: { failed: { brand: 'Nordlys' } },
    response: { retried: 17, skipped: 0, nextCursor: null },
  },
  postAdminSpecsBatchDelete: {
    body: { specUploadIds: [specUploadId] },
    response: { deleted: 1, missing: 0 },
  },
  postAdminSpecsBatchEdit: {
    body: { specUploadIds: [specUploadId], brandName: 'Fjell', propertyName: 'Hotel Fjell Oslo' },
    response: { edited: 1, missing: 0 },
  },
  postAdminSpecsBatchDownloads: {
    body: { specUploadIds: [specUploadId] },
    response: { downloadId: 'b7f3e2d1-4c5a-4e6b-9d8f-1a2b3c4d5e6f' },
  },
  postAdminSpecsStop: { body: { specUploadId }, response: { specUploadId, status: 'failed' } },
  postAdminSpecsMatches: {
    body: { files: [{ fileName: 'lobby-v2.pdf', brandName: 'Nordlys', area: 'Lobby' }] },
    response: { matches: [{ specUploadId, fileName: 'lobby.pdf', version: 1 }] },
  },
  getAdminSpecsByIdVersions: {
    response: { versions: [specVersionExample, olderSpecVersion], nextCursor: null },
  },
  getAdminSpecsByIdChanges: {
    response: {
      from: olderSpecVersion,
      to: specVersionExample,
      state: 'ready',
      basis: 'sections',
      counts: { added: 0, removed: 0, changed: 1, moved: 0, unchanged: 11 },
      changes: [
        {
          kind: 'changed',
          isMoved: false,
          title: 'Doors',
          oldTitle: null,
          page: 4,
          oldPage: 4,
          pieces: [
            { op: 'same', text: 'Doors are ' },
            { op: 'removed', text: '90' },
            { op: 'added', text: '100' },
            { op: 'same', text: ' cm wide.' },
          ],
        },
      ],
      more: 0,
    },
  },
  postAdminSpecsCallback: {
    body: {
      spec_upload_id: specUploadId,
      status: 'completed',
      sections: [
        { title: 'Curtains', page: 12 },
        { title: 'Hems', page: 13, level: 2, text: 'Curtains hang 2 cm above the floor.' },
      ],
    },
    response: { ...received, status: 'completed' },
  },
  getAdminSpecsByIdSections: {
    response: {
      version: 1,
      source: 'workflow',
      isCorrected: false,
      originalChangedAt: null,
      sections: [
        { title: 'Curtains', page: 12, level: 1, text: null },
        { title: 'Hems', page: 13, level: 2, text: 'Curtains hang 2 cm above the floor.' },
      ],
    },
  },
  putAdminSpecsByIdSections: {
    body: { version: 1, sections: [{ title: 'Curtains and blinds', page: 12 }] },
    response: { version: 2 },
  },
  postAdminSpecsByIdSectionsRestore: { body: { version: 2 }, response: { version: 3 } },
  getProjectsByIdStandards: {
    response: {
      standards: [
        {
          specUploadId,
          brandName: 'Nordlys',
          area: 'Lobby',
          fileName: 'lobby.pdf',
          version: 2,
          sectionsCount: 12,
        },
      ],
      nextCursor: null,
    },
  },
  getProjectsByIdStandardsBySpecUploadIdSections: {
    response: {
      fileName: 'lobby.pdf',
      version: 2,
      sections: [
        { number: 1, title: 'Curtains', page: 12, level: 1, text: 'Curtains hang 2 cm above the floor.' },
      ],
      nextCursor: null,
    },
  },
  postImageGenJobs: {
    body: {
      projectId,
      prompt: imageJobExample.prompt,
      materialIds: imageJobExample.materialIds,
      materialPayload: imageJobExample.materialPayload,
      options: imageJobExample.options,
    },
    response: { jobId, status: 'queued' },
  },
  getImageGenJobs: { response: { jobs: [imageJobExample], nextCursor: null } },
  postImageGenMessages: {
    body: {
      jobId,
      prompt: 'Warmer light',
      variantId: 'v1',
      materialIds: ['slate_02'],
      options: { size: '1024x768', count: 2 },
      maskImageId,
    },
    response: { jobId, messageId: 'f3b1c2d3-e4f5-4a6b-8c7d-9e0f1a2b3c4d', run: 2, status: 'queued' },
  },
  getImageGenJobsByJobIdMessages: {
    response: {
      messages: [
        {
          id: 'f3b1c2d3-e4f5-4a6b-8c7d-9e0f1a2b3c4d',
          jobId,
          ordinal: 2,
          role: 'user',
          prompt: 'Warmer light',
          variantId: 'v1',
          materialIds: ['slate_02'],
          materialPayload: [],
          options: { size: '1024x768', count: 2 },
          maskImageId,
          run: 2,
          status: 'succeeded',
          error: null,
          notes: [],
          createdBy: imageJobExample.createdBy,
          createdAt: at,
          startedAt: at,
          finishedAt: at,
        },
      ],
      variants: [variantExample],
      nextCursor: '2',
    },
  },
  getImageGenSwaps: { response: { swaps: [imageSwapExample], nextCursor: null } },
  postImageGenSwaps: {
    body: {
      projectId,
      variantId: variantExample.id,
      where: imageSwapExample.where,
      maskImageId,
      materials: imageJobExample.materialPayload,
    },
    response: { swapId, jobIds: [jobId], status: 'queued' },
  },
  getImageGenSwapsBySwapId: {
    response: {
      ...imageSwapExample,
      jobs: [{ ...imageJobExample, swapId, swapWhere: imageSwapExample.where }],
    },
  },
  postImageGenCallback: {
    body: {
      job_id: jobId,
      status: 'succeeded',
      output_paths: [
        {
          variant_id: 'v1',
          path: variantExample.path,
          thumb_path: variantExample.thumb_path,
          meta: variantExample.meta,
        },
        { variant_id: 'v2', path: `${prefix}1-2` },
      ],
    },
    response: {
      ...received,
      status: 'succeeded',
      notes: ['Image 2 could not be read: the file does not exist.'],
    },
  },
  getTokens: { response: { tokens: [accessTokenExample], nextCursor: null } },
  postTokens: {
    body: { name: accessTokenExample.name, role: 'editor', expiresInDays: 90 },
    response: { ...accessTokenExample, token: 'atl_…4f2a' },
  },
  getProjectsByIdFonts: { response: { fonts: [projectFontExample] } },
  postProjectsByIdFonts: { response: projectFontExample },
  getProjectsByIdShareLinks: { response: { shareLinks: [shareLinkExample] } },
  postProjectsByIdShareLinks: {
    body: {
      kind: 'images',
      imageIds: [variantExample.id],
      name: shareLinkExample.name,
      expiresInDays: 7,
      allowDownload: true,
    },
    response: { ...shareLinkExample, url: 'https://atelier.studio.example/share/shr_…' },
  },
  getProjectsByIdDocuments: { response: { documents: [documentSummaryExample] } },
  postProjectsByIdDocuments: {
    body: { name: documentSummaryExample.name },
    response: documentSummaryExample,
  },
  getProjectsByIdDocumentsByDocumentId: { response: documentSummaryExample },
  patchProjectsByIdDocumentsByDocumentId: {
    body: { name: documentSummaryExample.name },
    response: documentSummaryExample,
  },
  postProjectsByIdDocumentsByDocumentIdArchive: {
    body: { archived: true },
    response: { ...documentSummaryExample, archivedAt: at },
  },
  postProjectsByIdDocumentsByDocumentIdRestore: { response: documentSummaryExample },
  getProjectsByIdPageTemplates: { response: { templates: [pageTemplateExample], nextCursor: null } },
  postProjectsByIdPageTemplates: {
    body: {
      name: pageTemplateExample.name,
      content: { format: 'A4', orientation: 'portrait', pages: [page] },
    },
    response: pageTemplateExample,
  },
  patchProjectsByIdPageTemplatesByTemplateId: {
    body: { name: pageTemplateExample.name },
    response: pageTemplateExample,
  },
  getProjectsByIdPagesVersions: {
    response: {
      versions: [
        {
          id: versionId,
          version: 12,
          name: 'For the client',
          printed: true,
          savedBy: projectId,
          createdAt: at,
          pageCount: 8,
          changes: { added: 1, removed: 0, changed: 2, settings: false },
        },
      ],
      nextCursor: null,
    },
  },
  postProjectsByIdPagesVersions: {
    body: { version: 12, name: 'For the client' },
    response: { id: versionId },
  },
  patchProjectsByIdPagesVersionsByVersionId: { body: { name: 'For the client' } },
  postProjectsByIdPagesVersionsByVersionIdRestore: { body: { version: 14, pageIds: ['lobby'] } },
  postExportPdf: {
    body: {
      projectId,
      pages: [page],
      options: {
        format: 'A4',
        orientation: 'portrait',
        includecover: true,
        includeToc: true,
        fileName: '{project} {date}',
      },
    },
    response: { jobId, status: 'processing' },
  },
  getExportStatusByJobId: {
    response: {
      jobId,
      projectId,
      status: 'completed',
      options: {
        format: 'A4',
        orientation: 'portrait',
        customSize: { width: 210, height: 297 },
        includecover: true,
        includeToc: true,
        quality: 'print',
        pages: null,
        bleed: 0,
        cropMarks: false,
        pureBlack: false,
        pdfA: false,
        embedDocument: false,
        fileName: '{project} {date}',
        documentVersion: 12,
      },
      downloadUrl: `${storage}/object/sign/exports/${projectId}/lobby.pdf?token=…`,
      pageCount: 3,
      pagesDone: 3,
      imagesDone: 2,
      imagesTotal: 2,
      bytes: 48213,
      warnings: [],
      error: null,
      versionId,
      createdAt: at,
      finishedAt: at,
    },
  },
  getMatlibSearch: {
    response: {
      query: 'oak',
      type: 'textures',
      categories: [],
      color: null,
      sort: 'relevance',
      total: 1,
      limit: 24,
      offset: 0,
      results: [material],
      match: 'exact',
      totals: { hdris: 0, textures: 1, models: 4 },
      source,
      fetched_at: at,
    },
  },
  getMatlibCategories: {
    response: {
      categories: ['wood', 'stone'],
      counts: { wood: 120, stone: 80 },
      total: 200,
      type: 'textures',
      source,
      fetched_at: at,
    },
  },
  getMatlibInfoById: {
    response: {
      ...material,
      collections: [],
      category_path: null,
      attributes: {},
      notes: null,
      available: { page_url: 'https://polyhaven.com/a/oak_veneer_01', license: 'CC0' },
      source,
      fetched_at: at,
    },
  },
  getMatlibFilesById: {
    response: {
      id: material.id,
      type: 'textures',
      resolutions: ['1k'],
      available_resolutions: ['1k', '2k', '4k', '8k'],
      maps: {
        Diffuse: {
          '1k': {
            jpg: { url: 'https://dl.polyhaven.org/file/oak_diff_1k.jpg', size: 521_344, md5: null },
          },
        },
      },
      map_roles: { Diffuse: 'base_color' },
      textures: {
        diffuse: {
          '1K': { jpg: { url: 'https://dl.polyhaven.org/file/oak_diff_1k.jpg', size: 521_344 } },
        },
      },
      packages: {},
      extras: {},
      source,
      fetched_at: at,
    },
  },
  postAdminWorkflowEndpoints: {
    body: {
      name: 'Project tracker',
      url: 'https://tracker.example.com/hooks/atelier',
      events: ['spec.completed', 'spec.failed'],
    },
    response: { id: endpointId, secret: 'whsec_…' },
  },
  getAdminWorkflowDeliveries: {
    response: {
      deliveries: [
        {
          id: '0d9c8b7a-6f5e-4d3c-8b1a-9e8d7c6b5a40',
          eventId,
          type: 'spec.completed',
          subjectId: specUploadId,
          run: 1,
          label: 'lobby.pdf',
          endpointId,
          endpointName: 'Project tracker',
          state: 'pending',
          attempts: 2,
          reason: 'The endpoint returned HTTP 503.',
          nextAttemptAt: at,
          createdAt: at,
          finishedAt: null,
          canSendAgain: false,
        },
      ],
      nextCursor: null,
    },
  },
  getAdminWorkflowRefused: {
    response: {
      callbacks: [
        {
          id: '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
          kind: 'spec',
          code: 'invalid_secret',
          detail: 'The secret is missing or wrong.',
          subjectId: specUploadId,
          times: 3,
          createdAt: at,
          lastAt: at,
        },
      ],
      nextCursor: null,
    },
  },
  getAdminWorkflowTestsById: {
    response: {
      id: '3f2e1d0c-9b8a-4766-9544-332211009988',
      kind: 'spec',
      createdAt: at,
      steps: [
        { at, step: 'sent', status: null, detail: null },
        { at, step: 'accepted', status: null, detail: null },
        { at, step: 'callback', status: 'completed', detail: null },
      ],
      isOver: true,
    },
  },
  event: {
    body: {
      type: 'spec.completed',
      id: `event_${eventId}`,
      timestamp: at,
      data: {
        spec_upload_id: specUploadId,
        document_id: documentId,
        run: 1,
        status: 'completed',
        brand: 'Nordlys',
        area: 'Lobby',
        property: 'Grand Hotel',
        file_name: 'lobby.pdf',
        sections_count: 12,
        error_code: null,
        error: null,
      },
    },
  },
  specTrigger: {
    body: {
      type: 'spec.process',
      id: `spec_${specUploadId}_1`,
      ...trigger,
      deadline_at: '2026-11-21T10:00:00.000Z',
      data: {
        spec_upload_id: specUploadId,
        document_id: documentId,
        run: 1,
        brand: 'Nordlys',
        area: 'Lobby',
        property: 'Grand Hotel',
        file_name: 'lobby.pdf',
        url: `${storage}/object/sign/specs/nordlys/${specUploadId}/lobby.pdf?token=signed`,
        size_bytes: 123_456,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        is_protected: false,
      },
      callback: {
        url: `https://atelier.example.com/api/admin/specs/callback?run=1&spec_upload_id=${specUploadId}`,
        secret_header: 'x-webhook-secret',
        fields: [
          'spec_upload_id',
          'status',
          'sections_count',
          'sections',
          'error',
          'progress',
          'note',
          'execution',
        ],
      },
    },
  },
  imageTrigger: {
    body: {
      type: 'image.generate',
      id: `image_${jobId}_2`,
      ...trigger,
      deadline_at: imageJobExample.deadlineAt,
      data: {
        job_id: jobId,
        project_id: projectId,
        run: 2,
        prompt: 'Warmer light',
        messages: [
          { run: 1, prompt: imageJobExample.prompt, variant_id: null },
          { run: 2, prompt: 'Warmer light', variant_id: 'v1' },
        ],
        page_id: null,
        input_image: null,
        variant: {
          variant_id: 'v1',
          run: 1,
          url: `${storage}/object/sign/${prefix.replace('/2/', '/1/')}1-1?token=signed`,
          width: 1024,
          height: 768,
        },
        mask: {
          id: maskImageId,
          url: `${storage}/object/sign/images/projects/${projectId}/inputs/${maskImageId}.png?token=signed`,
          width: 1024,
          height: 768,
        },
        material_ids: ['slate_02'],
        materials: [],
        options: { size: '1024x768', count: 2 },
      },
      upload: {
        prefix,
        slots: [{ path: `${prefix}1-1`, url: `${storage}/object/upload/sign/${prefix}1-1?token=signed` }],
        thumbnail_slots: [
          {
            path: `${prefix}1-1-thumb`,
            url: `${storage}/object/upload/sign/${prefix}1-1-thumb?token=signed`,
          },
        ],
      },
      callback: {
        url: `https://atelier.example.com/api/image-gen/callback?run=2&job_id=${jobId}`,
        secret_header: 'x-webhook-secret',
        fields: ['job_id', 'status', 'output_paths', 'error', 'progress', 'note', 'execution'],
      },
    },
  },
};
