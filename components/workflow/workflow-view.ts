export const workflowViews = ['activity', 'refused', 'tests', 'endpoints'] as const;
export type WorkflowView = (typeof workflowViews)[number];

/** Returns the view of the workflow page that a URL parameter names, or `activity` for any other value. */
export function parseView(value: unknown): WorkflowView {
  return workflowViews.find((view) => view === value) ?? 'activity';
}

/** Returns the URL of a view of the workflow page. */
export function viewHref(view: WorkflowView): string {
  return view === 'activity' ? '/admin/workflow' : `/admin/workflow?view=${view}`;
}
