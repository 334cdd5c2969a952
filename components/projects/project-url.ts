import { type ProjectState, projectStates } from '@/lib/projects/schema';

/**
 * Parses the URL parameter `state`, which selects the projects to list. Returns `active` for a missing or unknown
 * state.
 */
export function parseProjectState(state: string | string[] | null | undefined): ProjectState {
  return projectStates.find((known) => known === state) ?? 'active';
}

/** Returns the URL path and query string of the list of projects in a state. */
export function projectsHref(state: ProjectState): string {
  return state === 'active' ? '/projects' : `/projects?state=${state}`;
}
