/** The integration level of a request: 1 plain OpenRTB, 2 with ad formats, 3 with context, 4 with all extensions. */
import type { BidRequest } from './bid-request.ts';

export function integrationLevel(request: BidRequest): 1 | 2 | 3 | 4 {
  const context = request.ext?.service !== undefined;
  const formats = request.imp.some((imp) => imp.ext?.service?.adcpFormats !== undefined);
  const productSearch = request.imp.some((imp) => (imp.ext?.service_product_search ?? undefined) !== undefined);
  if (context && formats && productSearch) return 4;
  if (context) return 3;
  return formats ? 2 : 1;
}
