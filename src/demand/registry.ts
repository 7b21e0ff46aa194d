/** The adapters by the name that the partners file uses. A new adapter is one folder and one line here. */
import type { Adapter } from './adapter.ts';
import { house } from './house/house.ts';
import { openrtb } from './openrtb/openrtb.ts';
import { productSearch } from './product-search/product-search.ts';

export const adapters: Readonly<Record<string, Adapter>> = {
  openrtb,
  'product-search': productSearch,
  house,
};
