/** Where the request comes from: the supply chain in `source.ext`, and at its OpenRTB 2.6 path. */
import type { Source } from '../bid-request.ts';
import { list } from './list.ts';
import { object } from './rules.ts';

const schain = () => object({ nodes: list(object(), { max: 20 }) });

export const source = object<Source>({ ext: object({ schain: schain() }), schain: schain() });
