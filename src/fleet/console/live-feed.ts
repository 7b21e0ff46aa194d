/** Takes one sample per second, keeps the last 15 minutes, and sends each sample to the clients that watch. */
import type { ServerResponse } from 'node:http';
import type { LiveSample } from '../../contract/console-api.ts';
import { SampleHistory } from './sample-history.ts';

export interface LiveFeedParts {
  /** Rejects only for a defect. */
  takeSample: () => Promise<LiveSample>;
  onDefect: (defect: unknown) => void;
}

export const maxStreams = 20;
/** A client that leaves more than this unread is cut off. */
export const maxUnreadBytes = 262_144;
const intervalMs = 1_000;

export class LiveFeed {
  readonly history = new SampleHistory();
  readonly #parts: LiveFeedParts;
  readonly #streams = new Set<ServerResponse>();

  constructor(parts: LiveFeedParts) {
    this.#parts = parts;
  }

  start(): void {
    setInterval(() => void this.tick(), intervalMs).unref();
  }

  get isFull(): boolean {
    return this.#streams.size >= maxStreams;
  }

  /** The head of the response has been written. */
  open(response: ServerResponse): void {
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
    response.write('retry: 2000\n\n');
  }

  /** A comment instead of a sample shows the client that the connection is alive. */
  async tick(): Promise<void> {
    let event = ': no sample\n\n';
    try {
      event = `data: ${this.history.add(await this.#parts.takeSample())}\n\n`;
    } catch (defect) {
      this.#parts.onDefect(defect);
    }
    for (const response of this.#streams) {
      if (response.writableLength > maxUnreadBytes) response.destroy();
      else response.write(event);
    }
  }
}
