/** Contender: Express with one route, answering by its own `response.json`. */
import express from 'express';
import { answer } from './answer.ts';
import { serve } from './cluster-shell.ts';
import { readJson } from './read-json.ts';

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response) => readJson(request, () => response.json(answer)));
  return app;
});
