/** The requests of the benchmarks in a form that both servers accept; the bodies are the same, byte for byte. */
import { join } from 'node:path';
import { benchRequest, clients, publisherAt, type RequestsFile, writeBodies } from '../traffic/requests.ts';
import { auctionPath, bidderAliases, bidderParams } from './prebid-server.ts';

/** Long, so that calls on a busy machine are late and not abandoned. */
export const tmax = 2_000;

export interface PeerRequests {
  exchange: RequestsFile;
  prebidServer: RequestsFile;
}

export function writePeerRequests(folder: string): PeerRequests {
  const bodies = Array.from({ length: clients.addresses }, (_, i) => JSON.stringify(peerRequest(i)));
  return {
    exchange: writeBodies(join(folder, 'requests'), '/openrtb2', bodies),
    prebidServer: writeBodies(join(folder, 'requests-prebid-server'), auctionPath, bodies),
  };
}

/** Prebid Server needs its bidders in `ext.prebid`, which the exchange ignores, and a native request without the root key. */
function peerRequest(number: number): object {
  const request = benchRequest(number, publisherAt(number));
  const [imp] = request.imp;
  const { native } = JSON.parse(imp!.native.request) as { native: object };
  return {
    ...request,
    tmax,
    imp: [
      {
        ...imp,
        native: { ...imp!.native, request: JSON.stringify(native) },
        ext: { ...imp!.ext, prebid: { bidder: bidderParams } },
      },
    ],
    ext: { ...request.ext, prebid: { aliases: bidderAliases } },
  };
}
