/** A collector of traces for tests: it takes OTLP over HTTP as JSON, or answers nothing, or refuses. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };

export interface SeenSpan {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, string | number | boolean | undefined>;
  links: { traceId: string; spanId: string }[];
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<SeenSpan, 'attributes' | 'links' | 'service'> & {
        attributes: Attribute[];
        links?: SeenSpan['links'];
      })[];
    }[];
  }[];
}

const valuesOf = (attributes: Attribute[]): SeenSpan['attributes'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]),
  );

const spansIn = ({ resourceSpans }: Sent): SeenSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, links = [], ...span }) => ({
        ...span,
        service,
        attributes: valuesOf(attributes),
        links,
      })),
    );
  });

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

export const startCollector = async () => {
  const spans: SeenSpan[] = [];
  const texts: string[] = [];
  let mood: 'takes' | 'hangs' | 'refuses' = 'takes';
  let asked = 0;
  const server = createServer(async (request, response) => {
    asked += 1;
    const text = await bodyOf(request);
    if (mood === 'hangs') return;
    if (mood === 'refuses') return void response.writeHead(500).end();
    texts.push(text);
    spans.push(...spansIn(JSON.parse(text)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** All that came, as it came. */
    texts,
    /** Requests so far. */
    asked: () => asked,
    becomes(next: typeof mood): void {
      mood = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;
