/** The description of the whole API in OpenAPI 3.1, from the Joi schemas, the error table and the test cases. */
import packageJson from '../../../package.json' with { type: 'json' };
import { adminPaths, adminSchemas } from './admin-paths.ts';
import { bidRequestSchemas } from './bid-request-schemas.ts';
import { biddingPath } from './bidding-path.ts';
import { consolePaths } from './console-paths.ts';
import { consoleSchemas } from './console-schemas.ts';
import { hasPublisherKeys, responseHeaders } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { responseSchemas } from './response-schemas.ts';

export interface ApiDescription {
  [member: string]: unknown;
  paths: Record<string, object>;
  components: { schemas: Record<string, JsonSchema>; [member: string]: unknown };
}

const tags = [
  { name: 'bidding', description: 'The bidding endpoint, for SSPs and publishers.' },
  { name: 'admin', description: 'The admin server, for operators: health, readiness, metrics, SLO.' },
  {
    name: 'console',
    description: 'The API of the browser console on the admin server. It may change between versions.',
  },
];

const securitySchemes = {
  ...(hasPublisherKeys && {
    publisherKey: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key of the publisher. Needed only for publishers that have keys.',
    },
  }),
  adminToken: { type: 'http', scheme: 'bearer', description: 'The value of ADMIN_TOKEN.' },
  adminSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'gavel_session_9464',
    description: 'The cookie that POST /console/api/login sets. Its name ends with the port.',
  },
};

export async function describeApi(): Promise<ApiDescription> {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gavel',
      version: packageJson.version,
      description:
        'A real-time bidding exchange for native ads. Rules that JSON Schema cannot express are listed in the member x-rules-beyond-schema of the schema BidRequest.',
    },
    servers: [
      { url: 'http://127.0.0.1:8080', description: 'The bidding endpoint of `make run` (settings HOST and PORT).' },
    ],
    tags,
    paths: { '/openrtb2': await biddingPath(), ...adminPaths, ...consolePaths },
    components: {
      schemas: { ...bidRequestSchemas(), ...responseSchemas, ...adminSchemas, ...consoleSchemas },
      headers: responseHeaders,
      securitySchemes,
    },
  };
}
