/** Contender: node:http and nothing else. */
import { sendAnswer } from './answer.ts';
import { serve } from './cluster-shell.ts';
import { readJson } from './read-json.ts';

serve(() => (request, response) => readJson(request, () => sendAnswer(response)));
