import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .optional()
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  attributes,
  status: z.object({ code: z.int().optional() }).optional(),
});
const point = z.looseObject({ attributes, count: z.coerce.number().optional() });
const points = z.object({ dataPoints: z.array(point) }).optional();
const metric = z.object({ name: z.string(), unit: z.string().optional(), histogram: points, gauge: points });
const resource = z.object({ attributes });
const traceReport = z.object({
  resourceSpans: z.array(z.object({ resource, scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});
const metricReport = z.object({
  resourceMetrics: z.array(
    z.object({ resource, scopeMetrics: z.array(z.object({ metrics: z.array(metric) })) }),
  ),
});

export type SeenSpan = z.infer<typeof span>;
export type SeenMetric = z.infer<typeof metric>;

/** Starts a minimal OTLP collector that accepts JSON over HTTP and keeps everything it receives. */
export async function startReceiver() {
  const spans: SeenSpan[] = [];
  const services = new Set<unknown>();
  let metrics: SeenMetric[] = [];
  let raw = '';
  const take: Record<string, (body: unknown) => void> = {
    '/v1/traces': (body) => {
      for (const each of traceReport.parse(body).resourceSpans) {
        services.add(each.resource.attributes['service.name']);
        spans.push(...each.scopeSpans.flatMap((scope) => scope.spans));
      }
    },
    // Metrics are cumulative, so the latest report contains all values.
    '/v1/metrics': (body) => {
      metrics = metricReport
        .parse(body)
        .resourceMetrics.flatMap((each) => each.scopeMetrics.flatMap((scope) => scope.metrics));
    },
  };
  const problems: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    raw += text;
    try {
      take[request.url ?? '']?.(JSON.parse(text));
    } catch (error) {
      problems.push(error);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    problems,
    metric: (name: string) => metrics.find((each) => each.name === name),
    raw: () => raw,
    stop: () => new Promise((done) => server.close(done)),
  };
}
