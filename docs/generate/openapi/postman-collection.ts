/** A Postman collection (format 2.1) from the description of the API: its examples as requests with their responses. */
import type { Example, ExampleRequest, Examples } from './bidding-examples.ts';
import type { ApiDescription } from './describe-api.ts';

interface Operation {
  summary: string;
  description: string;
  tags: string[];
  requestBody?: { content: Record<string, { examples?: Examples }> };
  responses: Record<string, { description: string; content?: Record<string, { examples?: Examples }> }>;
}

type PathItem = { get?: Operation; post?: Operation };

interface Request {
  method: string;
  header: { key: string; value: string }[];
  url: { raw: string; host: string[]; path: string[] };
  description?: string;
  body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' | 'text' } } };
}

interface SavedResponse {
  name: string;
  originalRequest: Request;
  status: string;
  code: number;
  header: { key: string; value: string }[];
  body: string;
}

interface Item {
  name: string;
  request: Request;
  response: SavedResponse[];
}

interface Folder {
  name: string;
  description: string;
  item: Item[];
}

export interface Collection {
  info: { name: string; description: string; schema: string };
  variable: { key: string; value: string }[];
  item: Folder[];
}

const json = 'application/json';

export function postmanCollection({ info, servers, paths }: ApiDescription): Collection {
  const { title, description } = info as { title: string; description: string };
  const bid = (paths['/openrtb2'] as PathItem).post!;
  const admin = Object.entries(paths as Record<string, PathItem>).filter(([, { get }]) => get?.tags.includes('admin'));
  return {
    info: {
      name: title,
      description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: (servers as { url: string }[])[0]!.url },
      { key: 'adminUrl', value: (admin[0]![1] as { servers: { url: string }[] }).servers[0]!.url },
    ],
    item: [
      { name: 'Bid requests', description: 'Valid requests.', item: accepted(bid) },
      { name: 'Errors', description: 'One request per error that a request alone can cause.', item: rejected(bid) },
      { name: 'Admin', description: 'The admin server.', item: admin.map(([path, { get }]) => adminItem(path, get!)) },
    ],
  };
}

function accepted({ requestBody, responses }: Operation): Item[] {
  const bodies = responses['200']!.content![json]!.examples!;
  return Object.entries(requestBody!.content[json]!.examples!).map(([name, { summary, description, value }]) => {
    const request = toRequest({ method: 'POST', path: '/openrtb2', headers: { 'Content-Type': json }, body: value });
    const response = bodies[name];
    return {
      name: summary,
      request: { ...request, ...(description !== undefined && { description }) },
      response: response ? [toResponse(request, 200, response)] : [],
    };
  });
}

const rejected = ({ responses }: Operation): Item[] =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    Object.values(content?.[json]?.examples ?? {}).flatMap((example) => {
      const sent = example['x-request'];
      if (!sent) return [];
      const request = toRequest(sent);
      return [
        { name: `${status}: ${example.summary}`, request, response: [toResponse(request, Number(status), example)] },
      ];
    }),
  );

const adminItem = (path: string, { summary, description }: Operation): Item => ({
  name: summary,
  request: { ...toRequest({ method: 'GET', path, headers: {} }, '{{adminUrl}}'), description },
  response: [],
});

function toRequest({ method, path, headers, body, rawBody }: ExampleRequest, host = '{{baseUrl}}'): Request {
  const raw = rawBody ?? (body === undefined ? undefined : JSON.stringify(body, null, 2));
  const hasContentType = Object.keys(headers).some((header) => header.toLowerCase() === 'content-type');
  // For `json`, Postman adds the Content-Type that the headers do not have.
  const language = rawBody === undefined && hasContentType ? 'json' : 'text';
  return {
    method,
    header: Object.entries(headers).map(([key, value]) => ({ key, value })),
    url: { raw: `${host}${path}`, host: [host], path: path.split('/').slice(1) },
    ...(raw !== undefined && { body: { mode: 'raw', raw, options: { raw: { language } } } }),
  };
}

const toResponse = (originalRequest: Request, code: number, { summary, value }: Example): SavedResponse => ({
  name: summary,
  originalRequest,
  status: String(code),
  code,
  header: [{ key: 'Content-Type', value: `${json}; charset=utf-8` }],
  body: JSON.stringify(value, null, 2),
});
