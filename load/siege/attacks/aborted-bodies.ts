/** Requests whose client disconnects in the middle of the body, by a reset or by closing its side. */
import { seededRandom } from '../../lib/random.ts';
import { type Attack, atRate, once, openSocket } from '../attack.ts';
import { ratePerAddress } from '../settings.ts';
import { bidRequest, ordinaryBody } from '../traffic/bid-request.ts';
import { post, postHead } from '../traffic/http-request.ts';

const random = seededRandom(3);

const requests = once(() => {
  const large = JSON.stringify(bidRequest('aborted', { ext: { filler: 'a'.repeat(200_000) } }));
  return [
    post(ordinaryBody(1)),
    post(large),
    post(large, ['Expect: 100-continue']),
    post(ordinaryBody(2), ['Content-Encoding: gzip']),
    Buffer.concat([postHead(['Transfer-Encoding: chunked']), Buffer.from('1000\r\n{"id":"half a chunk"')]),
  ];
});

export const abortedBodies: Attack = {
  name: 'aborted-bodies',
  title: 'bodies aborted midway',
  addresses: 1,
  start(context) {
    const prepared = requests();
    const { addresses, tally, signal } = context;
    atRate(signal, ratePerAddress, (index) => {
      const bytes = prepared[index % prepared.length]!;
      const socket = openSocket(context, addresses[0]!);
      tally.planned++;
      tally.sent++;
      socket.on('close', () => tally.count('closed'));
      socket.write(bytes.subarray(0, 200 + Math.floor(random.next() * (bytes.length - 201))), () =>
        setTimeout(() => (index % 2 === 0 ? socket.resetAndDestroy() : socket.destroy()), random.integer(0, 20)),
      );
    });
  },
};
