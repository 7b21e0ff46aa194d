/** Contender: Express as its guide shows it, with `express.json` and `response.json`. */
import express from 'express';
import { answer } from './answer.ts';
import { serve } from './cluster-shell.ts';

serve(() => {
  const app = express();
  app.use(express.json());
  app.post('/openrtb2', (_request, response) => response.json(answer));
  return app;
});
