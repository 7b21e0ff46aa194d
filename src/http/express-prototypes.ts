/** Requests and responses that are Express's from birth: it changes the prototypes of all others, which takes longer than to route them. */
import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes for the server that `app` will listen to; for one server only. */
export function withExpressPrototypes(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class BornRequest extends IncomingMessage {}
  class BornResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(BornRequest.prototype, app.request);
  Object.setPrototypeOf(BornResponse.prototype, app.response);
  app.request = BornRequest.prototype as typeof app.request;
  app.response = BornResponse.prototype as unknown as typeof app.response;
  return { IncomingMessage: BornRequest, ServerResponse: BornResponse };
}
