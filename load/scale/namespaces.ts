/** One network namespace per instance, connected by a bridge: machines that share nothing but the network. Needs root. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { instanceAddress, network } from './settings.ts';

export const canCreateNamespaces = process.getuid?.() === 0;

export const namespaceOf = (instance: number): string => `${network.prefix}${instance}`;

/** Removes what an earlier run left behind, if it was killed. */
export function createNetwork(instances: number): void {
  removeNetwork();
  const { bridge, bridgeAddress, maskBits } = network;
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${bridgeAddress}/${maskBits}`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
  for (let instance = 0; instance < instances; instance++) addMachine(instance);
}

/** Deleting an interface deletes its peer in the namespace too. */
export function removeNetwork(): void {
  for (const link of readdirSync('/sys/class/net')) if (link.startsWith(network.prefix)) ip('link', 'delete', link);
  for (const line of execFileSync('ip', ['netns', 'list']).toString().split('\n')) {
    const [name = ''] = line.split(' ');
    if (name.startsWith(network.prefix)) ip('netns', 'delete', name);
  }
}

/** The command that executes another one on the machine. */
export const onMachine = (instance: number): string[] => ['ip', 'netns', 'exec', namespaceOf(instance)];

/** Sent and received by the machine since it was created. */
export const networkBytes = (instance: number): number =>
  ['rx_bytes', 'tx_bytes']
    .map((counter) => Number(readFileSync(`/sys/class/net/${namespaceOf(instance)}/statistics/${counter}`, 'utf8')))
    .reduce((sum, bytes) => sum + bytes, 0);

function addMachine(instance: number): void {
  const name = namespaceOf(instance);
  ip('netns', 'add', name);
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('link', 'set', name, 'master', network.bridge, 'up');
  ip('-n', name, 'addr', 'add', `${instanceAddress(instance)}/${network.maskBits}`, 'dev', 'eth0');
  for (const link of ['lo', 'eth0']) ip('-n', name, 'link', 'set', link, 'up');
}

const ip = (...args: string[]): Buffer => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] });
