/** Baseline: Express with one route that responds with `response.json`. */
import express from 'express';
import { responseBody } from './fixed-response.ts';
import { readJson, serve } from './serve.ts';

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response) => readJson(request, () => response.json(responseBody)));
  return app;
});
