export const workflowViews = ['activity', 'refused', 'tests', 'endpoints'] as const;
export type WorkflowView = (typeof workflowViews)[number];

/** Parses the URL parameter `view` of the workflow page. Returns `activity` for a missing or unknown view. */
export function parseView(value: unknown): WorkflowView {
  return workflowViews.find((view) => view === value) ?? 'activity';
}

/** Returns the URL of a view of the workflow page. */
export function viewHref(view: WorkflowView): string {
  return view === 'activity' ? '/admin/workflow' : `/admin/workflow?view=${view}`;
}
