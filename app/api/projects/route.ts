import { methods, route } from '@/lib/http/route';
import { listProjectCards } from '@/app/project-cards';
import { createProject } from '@/lib/projects/create-project';
import { listProjectsQuery, project, projectNameBody, projectsResponse } from '@/lib/projects/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'signed-in',
    summary: 'Lists the projects that you can see, newest first, or the archived or deleted ones.',
    query: listProjectsQuery,
    status: 200,
    response: projectsResponse,
    handle: ({ caller, query }) => listProjectCards(caller, query),
  }),
  POST: route({
    access: 'signed-in',
    summary: 'Creates a project that you own.',
    idempotent: true,
    body: projectNameBody,
    status: 201,
    response: project,
    location: (response) => `/api/projects/${response.id}`,
    handle: ({ caller, body, idempotency }) => createProject(body.name, caller.userId, idempotency),
  }),
});
