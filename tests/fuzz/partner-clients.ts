/** What three HTTP clients make of the response of one server: ours, node:http and undici. */
import { request as requestByNode } from 'node:http';
import { request as requestByUndici, Client } from 'undici';
import type { Connection } from '../../src/http-client/connection.ts';
import { HttpClient } from '../../src/http-client/http-client.ts';

/** `status` 0: there is no response. Without a body the response is incomplete, malformed after its head, or was not read. */
export interface Received {
  status: number;
  body?: string;
  /** Ours only: the response exceeds a limit. */
  isExcessive?: boolean;
}

export type ReceiveBy = (port: number) => Promise<Received>;

const maxBytes = 1024 * 1024;

export const receiveByOurs: ReceiveBy = (port) =>
  new Promise((resolve) => {
    const client = new HttpClient({});
    const { pool, text, encoding } = client.prepare({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {} });
    pool.send({
      text,
      encoding,
      maxBytes,
      needsBody: true,
      connection: undefined as Connection | undefined,
      onResponse: (status, _isGzip, bytes, start, end) =>
        resolve({ status, body: bytes.toString('latin1', start, end) }),
      onFailure: (failure, status = 0) => resolve({ status, isExcessive: failure === 'excessive' }),
    });
  });

export const receiveByNode: ReceiveBy = (port) =>
  new Promise((resolve) => {
    const request = requestByNode({ port, host: '127.0.0.1', agent: false, headers: { connection: 'keep-alive' } });
    const none = () => resolve({ status: 0 });
    request
      .on('error', none)
      .on('close', none)
      .on('upgrade', (_response, socket) => (socket.destroy(), none()));
    request.on('response', (response) => {
      const status = response.statusCode!;
      let body = '';
      response.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve(response.complete ? { status, body } : { status }));
      response.on('error', () => resolve({ status })).on('close', () => resolve({ status }));
    });
    request.end();
  });

export const receiveByUndici: ReceiveBy = async (port) => {
  const client = new Client(`http://127.0.0.1:${port}`);
  let status = 0;
  try {
    const response = await requestByUndici(`http://127.0.0.1:${port}/`, { dispatcher: client });
    status = response.statusCode;
    const body = Buffer.from(await response.body.bytes()).toString('latin1');
    return { status, body };
  } catch {
    return { status };
  } finally {
    void client.destroy().catch(() => {});
  }
};
