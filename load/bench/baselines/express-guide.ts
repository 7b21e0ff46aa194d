/** Baseline: Express as in its guide, with `express.json` and `response.json`. */
import express from 'express';
import { responseBody } from './fixed-response.ts';
import { serve } from './serve.ts';

serve(() => {
  const app = express();
  app.use(express.json());
  app.post('/openrtb2', (_request, response) => response.json(responseBody));
  return app;
});
