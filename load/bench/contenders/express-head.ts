/** Contender: Express with one route, answering by node's `writeHead` and `end`. */
import express from 'express';
import { sendAnswer } from './answer.ts';
import { serve } from './cluster-shell.ts';
import { readJson } from './read-json.ts';

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response) => readJson(request, () => sendAnswer(response)));
  return app;
});
