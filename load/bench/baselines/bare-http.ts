/** Baseline: node:http only. */
import { sendFixedResponse } from './fixed-response.ts';
import { readJson, serve } from './serve.ts';

serve(() => (request, response) => readJson(request, () => sendFixedResponse(response)));
