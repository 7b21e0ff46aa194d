/** Baseline: Express with one route that responds with Node's `writeHead` and `end`. */
import express from 'express';
import { sendFixedResponse } from './fixed-response.ts';
import { readJson, serve } from './serve.ts';

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response) => readJson(request, () => sendFixedResponse(response)));
  return app;
});
