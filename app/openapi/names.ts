import * as activity from '@/lib/activity/schema';
import * as admin from '@/lib/admin/schema';
import * as pages from '@/lib/document/page-model';
import * as documents from '@/lib/document/schema';
import { outgoingEvent } from '@/lib/event-endpoints/event-schema';
import * as endpoints from '@/lib/event-endpoints/schema';
import * as exports from '@/lib/export/schema';
import * as fonts from '@/lib/fonts/schema';
import { schemaNames } from '@/lib/http/openapi/components';
import { problemSchema } from '@/lib/http/openapi/problem-responses';
import * as images from '@/lib/image-gen/schema';
import * as swaps from '@/lib/image-gen/swaps/schema';
import { imageTrigger } from '@/lib/image-gen/trigger-schema';
import * as matlib from '@/lib/matlib/schema';
import * as people from '@/lib/people/schema';
import * as projects from '@/lib/projects/schema';
import * as shares from '@/lib/share-links/schema';
import * as specs from '@/lib/specs/schema';
import { specTrigger } from '@/lib/specs/trigger-schema';
import * as tokens from '@/lib/tokens/schema';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { n8nWorkflow } from '@/lib/workflow/kit/schema';
import { triggerCallback } from '@/lib/workflow/trigger-schema';
import * as refused from '@/lib/workflow-events/refused/schema';
import * as workflow from '@/lib/workflow-events/schema';
import * as testing from '@/lib/workflow-events/testing/schema';

const byName = {
  Problem: problemSchema,
  NewName: admin.createNameBody,
  CreatedName: admin.createdName,
  Brands: admin.brandsResponse,
  Areas: admin.areasResponse,
  CatalogueEntry: admin.catalogueEntry,
  Catalogue: admin.catalogueResponse,
  NameChange: admin.renameBody,
  NameChanged: admin.renamedResponse,
  NameMerge: admin.mergeBody,
  NamesMerged: admin.mergedResponse,
  NamesImport: admin.importNamesBody,
  NamesImported: admin.importedResponse,
  NameDelete: admin.deleteNameBody,

  SpecStatus: specs.specStatus,
  SpecUploadForm: specs.uploadForm,
  SpecUploaded: specs.uploadResponse,
  SpecRetry: specs.retryBody,
  SpecRetried: specs.retryResponse,
  SpecsRetry: specs.retryManyBody,
  SpecsRetried: specs.retriedManyResponse,
  SpecsDelete: specs.deleteManyBody,
  SpecsDeleted: specs.deletedManyResponse,
  SpecsEdit: specs.editManyBody,
  SpecsEdited: specs.editedManyResponse,
  SpecCallback: specs.callbackBody,
  SpecAttempt: specs.specAttempt,
  Spec: specs.spec,
  SpecCounts: specs.specCounts,
  Specs: specs.specsResponse,
  SpecTrigger: specTrigger,

  ImageStatus: images.imageStatus,
  ImageOptions: images.imageOptions,
  MaterialPayload: images.materialPayload,
  NewImageJob: images.createJobBody,
  ImageJobStarted: images.startedResponse,
  ImageJobRetried: images.retriedResponse,
  Variant: images.variant,
  ImageJob: images.imageJob,
  ImageJobs: images.jobsResponse,
  NewImageMessage: images.sendMessageBody,
  ImageMessageSent: images.sentResponse,
  ImageMessage: images.imageMessage,
  ImageConversation: images.messagesResponse,
  NewImageSwap: swaps.createSwapBody,
  ImageSwapStarted: swaps.swapStarted,
  ImageSwap: swaps.imageSwap,
  ImageSwaps: swaps.swapsResponse,
  ImageSwapWithJobs: swaps.swapWithJobs,
  GalleryImage: images.galleryImage,
  GalleryImages: images.galleryResponse,
  GalleryMaterial: images.galleryMaterial,
  GalleryMaterials: images.galleryMaterialsResponse,
  ChosenImages: images.imagesBody,
  StarredImages: images.starBody,
  ImageDownload: images.downloadResponse,
  ChangedImages: images.changedResponse,
  ImageCallbackOutput: images.callbackOutput,
  ImageCallback: images.callbackBody,
  ImageTrigger: imageTrigger,
  AnyJson: images.anyJson,

  CallbackReceived: callbackResponse,
  TriggerCallback: triggerCallback,

  WorkflowEvent: workflow.workflowEvent,
  WorkflowEvents: workflow.eventsResponse,
  RefusedCallback: refused.refusedCallback,
  RefusedCallbacks: refused.refusedResponse,
  EventType: endpoints.eventType,
  NewEventEndpoint: endpoints.createEndpointBody,
  EventEndpointCreated: endpoints.createdEndpoint,
  EventEndpoint: endpoints.eventEndpoint,
  EventEndpoints: endpoints.endpointsResponse,
  EventEndpointResumed: endpoints.resumedResponse,
  EventDelivery: endpoints.eventDelivery,
  EventDeliveries: endpoints.deliveriesResponse,
  EventSentAgain: endpoints.sentAgainResponse,
  OutgoingEvent: outgoingEvent,
  NewWorkflowTest: testing.startTestBody,
  WorkflowTestStarted: testing.testStarted,
  WorkflowTest: testing.workflowTest,
  CallbackTested: testing.callbackTested,
  N8nWorkflow: n8nWorkflow,

  TokenRole: tokens.tokenRole,
  TokenKind: tokens.tokenKind,
  NewAccessToken: tokens.createTokenBody,
  AccessToken: tokens.accessToken,
  AccessTokens: tokens.tokensResponse,
  AccessTokenCreated: tokens.createdToken,

  Account: people.account,
  AccountChange: people.accountBody,
  PasswordChange: people.changePasswordBody,
  PictureForm: people.pictureForm,
  PictureSaved: people.pictureSaved,
  PasswordReset: people.resetBody,
  LinkPurpose: people.linkPurpose,
  LinkToken: people.linkBody,
  LinkInfo: people.linkInfo,
  LinkPassword: people.linkPasswordBody,
  LinkUsed: people.linkUsed,
  PersonState: people.personState,
  Person: people.person,
  People: people.peopleResponse,
  NewPerson: people.inviteBody,
  NewAccountLink: people.createLinkBody,
  AccountLink: people.accountLink,
  PersonChange: people.changePersonBody,
  AuditEvent: activity.auditEvent,
  AuditEvents: activity.activityResponse,
  AuditActors: activity.actorsResponse,

  ProjectRole: projects.projectRole,
  Project: projects.project,
  ProjectCard: projects.projectCard,
  Projects: projects.projectsResponse,
  ProjectName: projects.projectNameBody,
  ArchivedProject: projects.archiveProjectBody,
  Member: projects.member,
  Members: projects.membersResponse,
  NewMember: projects.setMemberBody,
  ProjectImage: projects.projectImage,
  ProjectImages: projects.imagesResponse,
  ImageUploadForm: projects.imageForm,
  FontUploadForm: fonts.fontForm,
  ProjectFont: fonts.projectFont,
  ProjectFonts: fonts.fontsResponse,

  ShareKind: shares.shareKind,
  NewShareLink: shares.createShareLinkBody,
  ShareLink: shares.shareLink,
  ShareLinks: shares.shareLinksResponse,
  ShareLinkCreated: shares.createdShareLink,

  ProjectDocument: documents.projectDocument,
  DocumentVersion: exports.documentVersionResponse,
  ImageKeys: exports.documentImagesBody,
  DocumentImages: exports.documentImagesResponse,
  CoverSettings: pages.coverSettings,
  PageData: pages.pageData,
  PageElement: pages.pageElement,
  TextElement: pages.textElement,
  ImageElement: pages.imageElement,
  MaterialElement: pages.materialElement,
  TableElement: pages.tableElement,
  ShapeElement: pages.shapeElement,
  TextBlock: pages.textBlock,
  TextRun: pages.textRun,
  SavedDocument: exports.savedDocument,
  ExportChoices: exports.exportChoices,
  ExportOptions: documents.exportOptions,
  NewExport: exports.exportBody,
  ExportStarted: exports.startedResponse,
  ExportStatus: exports.exportStatus,
  ExportWarning: documents.exportWarning,
  ExportJob: exports.exportJob,
  ExportJobs: exports.exportsResponse,

  KeepMaterial: matlib.keepMaterialBody,
  AssetType: matlib.assetType,
  Swatch: matlib.swatch,
  LibrarySource: matlib.sourceResponse,
  Material: matlib.searchItem,
  MaterialSearch: matlib.searchResponse,
  MaterialCategories: matlib.categoriesResponse,
  MaterialInfo: matlib.infoResponse,
  MapRole: matlib.mapRole,
  FileRef: matlib.fileRef,
  MaterialFiles: matlib.filesResponse,
};

/** The schemas of `components.schemas` with their names. */
export const names = schemaNames();
for (const [id, schema] of Object.entries(byName)) names.add(schema, { id });
