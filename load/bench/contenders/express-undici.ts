/** Contender: Express with one route that asks the partners at ENDPOINTS at once, by undici's `request`. */
import express from 'express';
import { request as ask } from 'undici';
import { sendAnswer } from './answer.ts';
import { serve } from './cluster-shell.ts';
import { readJson } from './read-json.ts';

const endpoints = process.env.ENDPOINTS!.split(' ');
const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };

async function askPartner(endpoint: string, body: string): Promise<unknown> {
  const answer = await ask(endpoint, { method: 'POST', headers, body });
  if (answer.statusCode !== 200) throw new Error(`${endpoint} answered ${answer.statusCode}`);
  return answer.body.json();
}

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response, next) =>
    readJson(request, (bidRequest) => {
      const body = JSON.stringify(bidRequest);
      Promise.all(endpoints.map((endpoint) => askPartner(endpoint, body))).then(() => sendAnswer(response), next);
    }),
  );
  return app;
});
