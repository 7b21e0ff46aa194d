/** Starts a siege whose exchange has already served ordinary requests and attacks. */
import { Siege } from './phases.ts';
import { warmUp } from './settings.ts';

/** Of this checkout's exchange, unless the folder of another one is given. */
export async function startWarm(attacked: readonly string[], checkout?: string): Promise<Siege> {
  const siege = await Siege.start(checkout);
  const { client } = await siege.run(warmUp.seconds, [], warmUp.perSecond);
  await siege.run(warmUp.attackSeconds, attacked);
  if (client.withSteadyBid === 0) throw new Error('the ordinary client gets no bid of the steady partner');
  return siege;
}
