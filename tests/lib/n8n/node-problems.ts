import { z } from 'zod';
import type { N8nNode } from '@/lib/workflow/kit/n8n';
import type { NodeDescription, Property } from '@/tests/lib/n8n/node-description';

type Values = Record<string, unknown>;
type Scope = { typeVersion: number; top: Values; topProperties: Property[] };
const group = z.record(z.string(), z.unknown());

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

function isMet(condition: unknown, value: unknown): boolean {
  const comparison = z.object({ _cnd: z.record(z.string(), z.unknown()) }).safeParse(condition);
  if (!comparison.success) return condition === value || isExpression(value);
  return Object.entries(comparison.data._cnd).every(([operator, bound]) => {
    switch (operator) {
      case 'eq':
        return value === bound;
      case 'not':
        return value !== bound;
      case 'gte':
        return Number(value) >= Number(bound);
      case 'gt':
        return Number(value) > Number(bound);
      case 'lte':
        return Number(value) <= Number(bound);
      case 'lt':
        return Number(value) < Number(bound);
      default:
        throw new Error(`n8n's condition ${operator} is not supported here`);
    }
  });
}

/** Returns the value that a condition on `name` checks: the node's version, or a parameter's value or default. */
function parameterValue(name: string, values: Values, scope: Scope): unknown {
  if (name === '@version') return scope.typeVersion;
  const fromTop = name.startsWith('/');
  const key = name.replace(/^\//, '');
  const set = fromTop ? scope.top[key] : (values[key] ?? scope.top[key]);
  if (set !== undefined) return set;
  const named = scope.topProperties.filter((property) => property.name === key);
  return (named.find((property) => isShown(property, scope.top, scope)) ?? named[0])?.default;
}

function isShown(
  { displayOptions }: Pick<Property, 'displayOptions'>,
  values: Values,
  scope: Scope,
): boolean {
  const meets = ([name, wanted]: [string, unknown[]]) =>
    wanted.some((condition) => isMet(condition, parameterValue(name, values, scope)));
  const { show = {}, hide = {} } = displayOptions ?? {};
  return Object.entries(show).every(meets) && !Object.entries(hide).some(meets);
}

function problemsOfValue(property: Property, value: unknown, at: string, scope: Scope): string[] {
  if (isExpression(value)) return [];
  switch (property.type) {
    case 'options': {
      const choices = property.options?.map((option) => option.value) ?? [];
      return choices.length === 0 || choices.includes(value)
        ? []
        : [`${at} cannot be ${JSON.stringify(value)}`];
    }
    case 'collection':
      return problemsOfValues(property.options ?? [], group.parse(value), at, scope);
    case 'fixedCollection':
      return Object.entries(group.parse(value)).flatMap(([name, entries]) => {
        const known = property.options?.find((option) => option.name === name);
        if (!known) return [`${at} has no ${name}`];
        return [entries].flat().flatMap((entry) => {
          return problemsOfValues(known.values ?? [], group.parse(entry), `${at}.${name}`, scope);
        });
      });
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === property.type ? [] : [`${at} must be a ${property.type}`];
    default:
      return [];
  }
}

function problemsOfValues(properties: Property[], values: Values, at: string, scope: Scope): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const named = properties.filter((property) => property.name === name);
    if (named.length === 0) return [`${at} has no ${name}`];
    const shown = named.find((property) => isShown(property, values, scope));
    return shown ? problemsOfValue(shown, value, `${at}.${name}`, scope) : [`${at} does not show ${name}`];
  });
}

function problemsOfCredentials(node: N8nNode, description: NodeDescription, scope: Scope): string[] {
  const declared = Array.isArray(description.credentials) ? description.credentials : [];
  const names = declared.filter((each) => isShown(each, scope.top, scope));
  // An HTTP Request node names the type of its credential in a parameter, so this type is also allowed.
  const allowed = [...names.map(({ name }) => name), parameterValue('genericAuthType', {}, scope)];
  return Object.keys(node.credentials ?? {}).flatMap((name) =>
    allowed.includes(name) ? [] : [`${node.name} takes no credential ${name}`],
  );
}

/**
 * Returns what is wrong with a node's version, parameters, credentials or outputs according to n8n's description of
 * its type.
 */
export function nodeProblems(node: N8nNode, outputs: number, descriptions: NodeDescription[]): string[] {
  const description = descriptions.find(
    ({ name, version }) =>
      `n8n-nodes-base.${name}` === node.type && [version].flat().includes(node.typeVersion),
  );
  if (!description) return [`There is no ${node.type} ${node.typeVersion}`];
  const { parameters: top, typeVersion } = node;
  const scope = { typeVersion, top, topProperties: description.properties };
  const tooMany = Array.isArray(description.outputs) && outputs > description.outputs.length;
  return [
    ...problemsOfValues(description.properties, top, node.name, scope),
    ...problemsOfCredentials(node, description, scope),
    ...(tooMany ? [`${node.name} has no output ${outputs}`] : []),
  ];
}
