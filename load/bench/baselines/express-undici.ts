/** Baseline: Express with one route that calls the partners at ENDPOINTS in parallel with undici's `request`. */
import express from 'express';
import { request as callHttp } from 'undici';
import { sendFixedResponse } from './fixed-response.ts';
import { readJson, serve } from './serve.ts';

const endpoints = process.env.ENDPOINTS!.split(' ');
const headers = { 'content-type': 'application/json', 'x-openrtb-version': '2.6' };

async function callPartner(endpoint: string, body: string): Promise<unknown> {
  const response = await callHttp(endpoint, { method: 'POST', headers, body });
  if (response.statusCode !== 200) throw new Error(`${endpoint} responded with ${response.statusCode}`);
  return response.body.json();
}

serve(() => {
  const app = express();
  app.post('/openrtb2', (request, response, next) =>
    readJson(request, (bidRequest) => {
      const body = JSON.stringify(bidRequest);
      const calls = endpoints.map((endpoint) => callPartner(endpoint, body));
      Promise.all(calls).then(() => sendFixedResponse(response), next);
    }),
  );
  return app;
});
