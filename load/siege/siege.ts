/** Do ordinary requests succeed, in at most twice the time, while every attack runs at once at its allowed rate? */
import { cpus } from 'node:os';
import { commandWith, table, writeResults } from '../results.ts';
import type { Phase, Siege } from './phases.ts';
import { aloneTable, attackTable, judge, phaseHead, phaseRow, type Round, verdictHead } from './report.ts';
import {
  aloneSeconds,
  hostileQps,
  isEach,
  maxOtherLoad,
  maxRounds,
  ordinary,
  ordinaryAddresses,
  quietSeconds,
  ratePerAddress,
  rounds,
  siegeSeconds,
  warmUp,
} from './settings.ts';
import { selectedNames as names } from './selected-attacks.ts';
import { startWarm } from './warm-siege.ts';

const setup = `The exchange with its default settings (${cpus().length} workers, ${ratePerAddress} requests per second per address), \`TRUST_PROXY=0\`, Redis and four partners: one that bids after 10 to 20 ms, a hostile one limited to ${hostileQps} requests per second, product search with long texts, and house campaigns. The ordinary client sends ${ordinary.perSecond} requests per second from ${ordinaryAddresses(ordinary.perSecond).length} addresses at fixed times. Latency counts from the time a request was due; a failed request counts as ${ordinary.timeoutMs / 1_000} s. The exchange has first served ${warmUp.seconds} s of ordinary requests at ${warmUp.perSecond} per second and ${warmUp.attackSeconds} s of attacks. Each attack has addresses of its own and sends ${ratePerAddress} requests per second, what one address may send. During attacks nobody reads the log of the exchange. Everything shares one machine: the attackers run at the lowest priority, so that generating the attacks takes no CPU time from the exchange, the partners and the client.`;

async function run(siege: Siege, name: string, seconds: number, attacked: readonly string[] = []): Promise<Phase> {
  const phase = await siege.run(seconds, attacked);
  process.stderr.write(`${phaseRow(name, phase).join(' | ')}\n`);
  return phase;
}

/** Repeats rounds that unrelated processes disturbed, within a bound. Ends early if the exchange fails without attacks. */
async function measureRounds(siege: Siege): Promise<Round[]> {
  const measured: Round[] = [];
  const isEnough = () => measured.filter((round) => otherLoad(round) <= maxOtherLoad).length >= rounds;
  while (measured.length < maxRounds && !isEnough()) {
    const quiet = await run(siege, 'quiet', quietSeconds);
    measured.push({ quiet, siege: await run(siege, 'siege', siegeSeconds, names) });
    if (quiet.client.succeeded < quiet.client.sent) break;
  }
  return measured;
}

/** The rounds that count; if any round failed, all do. */
function leastDisturbed(measured: readonly Round[]): readonly Round[] {
  const hasFailed = ({ quiet, siege }: Round) => [quiet, siege].some(({ client }) => client.succeeded < client.sent);
  if (measured.some(hasFailed)) return measured;
  const chosen = measured.toSorted((a, b) => otherLoad(a) - otherLoad(b)).slice(0, rounds);
  return measured.filter((round) => chosen.includes(round));
}

/** In the quiet phase: during the siege the kernel's work for the network would count as unrelated. */
const otherLoad = ({ quiet }: Round): number => quiet.otherLoad;

async function besiege(): Promise<boolean> {
  const siege = await startWarm(names);
  const measured = leastDisturbed(await measureRounds(siege));
  const after = await run(siege, 'after', quietSeconds);
  siege.stop();
  const verdict = judge(measured, after);
  const phases = measured.flatMap((round, index) => [
    phaseRow(`quiet ${index + 1}`, round.quiet),
    phaseRow(`siege ${index + 1}`, round.siege),
  ]);
  writeResults(
    'Siege: all attacks at once',
    commandWith(['SIEGE', 'SIEGE_SECONDS', 'SIEGE_WARM_UP_SECONDS', 'LIMIT_IP'], 'make siege'),
    [
      setup,
      '',
      ...table(verdictHead, verdict.rows),
      '',
      ...table(phaseHead, [...phases, phaseRow('after', after)]),
      '',
      ...attackTable(measured.map((round) => round.siege)),
    ],
  );
  return verdict.isMet;
}

/** Each attack gets an exchange of its own: one that an attack has blocked would fail under the next. */
async function attackEach(): Promise<void> {
  const measured: { name: string; round: Round }[] = [];
  for (const name of names) {
    const siege = await startWarm([name]);
    const quiet = await run(siege, 'quiet', aloneSeconds);
    measured.push({ name, round: { quiet, siege: await run(siege, name, aloneSeconds, [name]) } });
    siege.stop();
  }
  writeResults(
    'Siege: one attack at a time',
    commandWith(['SIEGE_WARM_UP_SECONDS', 'LIMIT_IP'], 'make siege SIEGE=each'),
    [
      `${setup} Here each attack runs alone for ${aloneSeconds} s, against an exchange of its own.`,
      '',
      ...aloneTable(measured),
      '',
      ...attackTable(measured.map(({ round }) => round.siege)),
    ],
  );
}

if (!isEach) process.exit((await besiege()) ? 0 : 1);
await attackEach();
process.exit(0);
