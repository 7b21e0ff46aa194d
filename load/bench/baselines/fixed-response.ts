/** The response of every baseline server: one that the exchange gave, read from RESPONSE_FILE. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

const text = readFileSync(process.env.RESPONSE_FILE!, 'utf8');

export const responseBody = JSON.parse(text) as object;

const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };

export function sendFixedResponse(response: ServerResponse): void {
  response.writeHead(200, headers);
  response.end(text);
}
