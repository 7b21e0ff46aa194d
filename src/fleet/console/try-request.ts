/** Sends a request of the playground to the bidding endpoint, in test mode. */
import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { TryResult } from '../../contract/console-api.ts';
import { inTestMode } from '../../contract/in-test-mode.ts';
import { maxBodyBytes } from '../../contract/api-limits.ts';
import { roundToMicroseconds } from '../../format/round-to-microseconds.ts';
import { parseJson } from '../../json/parse-json.ts';

export interface TrySettings {
  endpoint: string;
  /** The key of a publisher that has to send one; undefined for others. */
  apiKey: string | undefined;
  timeoutMs: number;
  maxResponseBytes: number;
}

/** The endpoint could not be reached, was too slow, or sent too much. */
export class TryError extends Error {}

/** Rejects with TryError. */
export async function tryRequest(
  body: Buffer,
  { endpoint, apiKey, timeoutMs, maxResponseBytes }: TrySettings,
): Promise<TryResult> {
  const sent = toSend(body);
  const startedAtMs = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await post(endpoint, sent, apiKey, timeout);
    const text = await readText(response, maxResponseBytes);
    return {
      status: response.statusCode!,
      headers: pairsOf(response.rawHeaders),
      durationMs: roundToMicroseconds(performance.now() - startedAtMs),
      body: text,
    };
  } catch (error) {
    if (error instanceof TryError) throw error;
    throw new TryError(timeout.aborted ? `no response within ${timeoutMs} ms` : (error as Error).message);
  }
}

/** Unchanged beyond the length that the endpoint takes: its error has the length of what the editor holds. */
export function toSend(body: Buffer): Buffer {
  if (body.length > maxBodyBytes) return body;
  const text = body.toString();
  const sent = inTestMode(text, parseJson(text));
  return sent === text ? body : Buffer.from(sent);
}

const post = (
  endpoint: string,
  body: Buffer,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    };
    const outgoing = sendRequest(endpoint, { method: 'POST', agent: false, headers, signal }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TryError(`the response has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}

const pairsOf = (rawHeaders: readonly string[]): TryResult['headers'] =>
  Array.from({ length: rawHeaders.length / 2 }, (_, index) => [rawHeaders[2 * index]!, rawHeaders[2 * index + 1]!]);
