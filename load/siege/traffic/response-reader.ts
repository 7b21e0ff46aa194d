/** Splits the bytes of a connection into HTTP/1.1 responses, as cheaply as the load generators need it. */

export interface RawResponse {
  status: number;
  /** Empty unless bodies are kept. */
  body: string;
  /** Whether the server closes the connection after this response. */
  closes: boolean;
}

const headEnd = '\r\n\r\n';

export class ResponseReader {
  readonly #onResponse: (response: RawResponse) => void;
  readonly #keepBodies: boolean;
  #head = '';
  #response: RawResponse | undefined;
  #missing = 0;

  constructor(onResponse: (response: RawResponse) => void, keepBodies = false) {
    this.#onResponse = onResponse;
    this.#keepBodies = keepBodies;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#response ? this.#readBody(this.#response, rest) : this.#readHead(rest);
  }

  #readHead(chunk: Buffer): Buffer {
    const before = this.#head.length;
    const text = this.#head + chunk.toString('latin1');
    const end = text.indexOf(headEnd);
    if (end === -1) {
      this.#head = text;
      return chunk.subarray(chunk.length);
    }
    this.#head = '';
    this.#start(text.slice(0, end));
    return chunk.subarray(end + headEnd.length - before);
  }

  #start(head: string): void {
    const status = Number(head.slice(9, 12));
    if (status < 200) return;
    this.#response = { status, body: '', closes: /^connection: close/im.test(head) };
    this.#missing = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#missing === 0) this.#finish(this.#response);
  }

  #readBody(response: RawResponse, chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#missing);
    if (this.#keepBodies) response.body += part.toString('latin1');
    this.#missing -= part.length;
    if (this.#missing === 0) this.#finish(response);
    return chunk.subarray(part.length);
  }

  #finish(response: RawResponse): void {
    this.#response = undefined;
    this.#onResponse(response);
  }
}
