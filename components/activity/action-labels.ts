/** Labels of the audit log's actions, in the order in which the filter lists them. */
const labels: Record<string, string> = {
  'account.invited': 'Invited person',
  'account.joined': 'Accepted invitation',
  'account.link_created': 'Created password link',
  'account.disabled': 'Disabled account',
  'account.enabled': 'Enabled account',
  'role.granted': 'Granted role',
  'role.removed': 'Removed role',
  'password.changed': 'Changed password',
  'password.reset': 'Reset password',
  'token.created': 'Created access token',
  'token.revoked': 'Revoked access token',
  'member.added': 'Added member',
  'member.changed': 'Changed member',
  'member.removed': 'Removed member',
  'project.archived': 'Archived project',
  'project.unarchived': 'Unarchived project',
  'project.deleted': 'Deleted project',
  'project.restored': 'Restored project',
  'project.removed': 'Permanently deleted project',
  'share.created': 'Created share link',
  'share.revoked': 'Revoked share link',
  'spec.version_added': 'Uploaded new version',
  'spec.sections_edited': 'Edited sections',
  'spec.sections_restored': 'Restored sections',
  'spec.retried': 'Retried processing',
  'spec.stopped': 'Stopped spec',
  'spec.processed_again': 'Processed spec again',
  'spec.downloaded': 'Downloaded specs',
  'spec.deleted': 'Deleted spec',
  'brand.merged': 'Merged brand',
  'brand.deleted': 'Deleted brand',
  'area.merged': 'Merged area',
  'area.deleted': 'Deleted area',
  'image.deleted': 'Deleted images',
  'image.restored': 'Restored images',
};

/** The actions as `Select` options. */
export const actionChoices = Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Returns the label of an action, or the action itself if it has none. */
export function actionLabel(action: string): string {
  return labels[action] ?? action;
}
