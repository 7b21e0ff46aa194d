/** A role: runs the attacks named by its arguments. */
import { Tally } from '../attack.ts';
import { attacks } from '../attack-list.ts';
import { attackAddresses } from '../settings.ts';
import { serveRole } from './role.ts';

/** Starts attacks by name, or stops all. */
export type AttackCommand = { start: readonly string[] } | { stop: true };

/** By attack; empty after a start. */
export type AttackReport = Record<string, Pick<Tally, 'planned' | 'sent' | 'responses'>>;

const port = Number(process.argv[2]);
let running = new AbortController();
let tallies: AttackReport = {};

function start(names: readonly string[]): AttackReport {
  running = new AbortController();
  tallies = {};
  for (const [index, attack] of attacks.entries()) {
    const { name, addresses } = attack;
    if (!names.includes(name)) continue;
    const tally = new Tally();
    tallies[name] = tally;
    attack.start({ port, addresses: attackAddresses(index, addresses), tally, signal: running.signal });
  }
  return {};
}

function stop(): AttackReport {
  running.abort();
  return tallies;
}

serveRole((command: AttackCommand) => ('start' in command ? start(command.start) : stop()));
