/** Static files: read once at startup, compressed at their first use, served by name. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AdminResponse } from '../admin-response.ts';

const compress = promisify(gzip);

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
const incompressible = new Set(['.png', '.woff2']);

export class Asset {
  readonly #body: Buffer;
  readonly #type: string;
  readonly #etag: string;
  readonly #isCompressible: boolean;
  readonly #level: number;
  #compressed: Promise<Buffer> | undefined;

  /** `level` is that of gzip. */
  constructor(name: string, body: Buffer, level = 9) {
    this.#level = level;
    const extension = extname(name);
    this.#body = body;
    this.#type = contentTypes[extension] ?? 'application/octet-stream';
    this.#isCompressible = !incompressible.has(extension);
    this.#etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  }

  /** The client revalidates every time, because names do not change with their content. */
  async respond({ headers }: IncomingMessage): Promise<AdminResponse> {
    const common = { 'Cache-Control': 'no-cache', ETag: this.#etag, Vary: 'Accept-Encoding' };
    const known = (headers['if-none-match'] ?? '').split(',').map((etag) => etag.trim().replace(/^W\//, ''));
    if (known.includes(this.#etag)) return { status: 304, body: '', headers: common };
    const full = { ...common, 'Content-Type': this.#type };
    if (!this.#isCompressible || !acceptsGzip(headers['accept-encoding'])) {
      return { status: 200, body: this.#body, headers: full };
    }
    const body = await (this.#compressed ??= compress(this.#body, { level: this.#level }));
    return { status: 200, body, headers: { ...full, 'Content-Encoding': 'gzip' } };
  }
}

/** The files of a folder by their path with `/`; undefined if there is no such folder. */
export function readAssets(folder: string): Map<string, Asset> | undefined {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    return undefined;
  }
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    files.map((path) => [relative(folder, path).split(sep).join('/'), new Asset(path, readFileSync(path))]),
  );
}

const acceptsGzip = (header: string | string[] = ''): boolean =>
  /(?:^|,)\s*(?:gzip|\*)\s*(?:,|$|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i.test(String(header));
