/** What a program with a generated client does, and what it returns for the test. */
export type Round = (to: {
  url: string;
  /** The access token of the caller's session. */
  token: string;
  /** The secret of image callbacks. */
  secret: string;
  /** Stores an output of the first run of a job, and returns its path. */
  putOutput: (job: { projectId: string; jobId: string }) => Promise<string>;
}) => Promise<{
  received: { applied: boolean; status: string };
  prompts: string[];
  metas: unknown[];
  /** The status of a job that was created from another one as the API returned it. */
  copied: string;
  /** The pages after the document was saved twice, the second time as the API returned it. */
  savedPages: number;
  printedPages: number | null;
}>;
