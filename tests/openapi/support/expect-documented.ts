import type { ApiResponse } from '@/tests/app/support/api';
import { documentSchemas, pointer } from '@/tests/openapi/support/schemas';
import type { OpenApi } from '@/tests/setup/provided';

const undocumentedMethods = ['HEAD', 'OPTIONS'];

/**
 * Turns the paths of the document into regular expressions. Paths without parameters come first, because they also take
 * precedence in the product.
 */
function templatesOf(document: OpenApi): [template: string, fits: RegExp][] {
  return Object.keys(document.paths)
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => [
      template,
      new RegExp(`^${template.replace(/\./g, '\\.').replace(/\{.+?\}/g, '[^/]+')}$`),
    ]);
}

/**
 * Returns a function that throws if an API response does not match the document in its path, method, status, media type
 * or body, or if it lacks a documented header other than `Retry-After`. An undocumented path may respond only with a
 * 404 problem, and an undocumented method of a documented path only with a 405 problem. Responses to HEAD and OPTIONS
 * are not checked.
 */
export function documentedResponses(document: OpenApi) {
  const templates = templatesOf(document);
  const schema = documentSchemas(document, { strict: true });

  return (method: string, path: string, response: ApiResponse): void => {
    // The routes that accept slashes after their path are documented without them.
    const pathname = new URL(path, 'http://product.test').pathname.replace(/\/+$/, '');
    if (!pathname.startsWith('/api/') || undocumentedMethods.includes(method)) return;
    const { status, headers, text } = response;
    const wrong = (what: string): never => {
      throw new Error(`${method} ${path} → ${status} is not as documented: ${what}\n${text.slice(0, 500)}`);
    };
    const fits = (place: string, body: unknown) => {
      const validate = schema(place);
      if (!validate(body)) wrong(JSON.stringify(validate.errors));
    };
    const type = headers.get('content-type')?.split(';')[0] ?? '';

    const template = templates.find(([, fit]) => fit.test(pathname))?.[0];
    const operation = template && document.paths[template]?.[method.toLowerCase()];
    if (!operation) {
      if (status !== (template ? 405 : 404)) wrong('there is no such operation');
      fits(pointer('components', 'schemas', 'Problem'), response.body);
      return;
    }
    const { content } = operation.responses[status] ?? wrong('the status is not told of');
    if (!content) {
      if (text !== '') wrong('it should be empty');
      return;
    }
    if (!content[type]) wrong(`the media type is ${type}`);
    const place = [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      type,
      'schema',
    ];
    fits(pointer(...place), type.endsWith('json') ? response.body : text);
    for (const name of Object.keys(operation.responses[status]?.headers ?? {})) {
      if (!headers.has(name) && name !== 'retry-after') wrong(`the header ${name} is missing`);
    }
  };
}
