export const workflowViews = ['activity', 'refused', 'tests', 'endpoints'] as const;
export type WorkflowView = (typeof workflowViews)[number];

/** The part of the workflow page that a URL parameter names; anything else is the activity. */
export function parseView(value: unknown): WorkflowView {
  return workflowViews.find((view) => view === value) ?? 'activity';
}

/** The URL of a part of the workflow page. */
export function viewHref(view: WorkflowView): string {
  return view === 'activity' ? '/admin/workflow' : `/admin/workflow?view=${view}`;
}
