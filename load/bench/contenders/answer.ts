/** The answer of all contenders: one that the exchange gave. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

const text = readFileSync(process.env.ANSWER_FILE!, 'utf8');

export const answer = JSON.parse(text) as object;

const head = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };

export function sendAnswer(response: ServerResponse): void {
  response.writeHead(200, head);
  response.end(text);
}
