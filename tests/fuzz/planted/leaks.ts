/** A planted defect: every input is kept for ever, with 64 KiB of its own. */
import { plant } from './plant.ts';

const kept: unknown[] = [];

export const target = plant((text) => void kept.push({ text, bytes: Buffer.alloc(64 * 1024) }));
