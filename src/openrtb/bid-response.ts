/** The OpenRTB 2.6 bid response on the wire. */
import type { PartnerReport } from '../contract/partner-report.ts';
import type { RawJson } from '../json/raw-json.ts';

export interface BidResponse {
  id: string;
  seatbid: SeatBid[];
  /** The currency of all prices. */
  cur: string;
  ext?: { service: TestReport };
}

export interface SeatBid {
  seat: string;
  bid: Bid[];
}

export interface Bid {
  id: string;
  impid: string;
  price: number;
  adm: string | RawJson;
  nurl?: string;
  burl?: string;
  lurl?: string;
  adomain?: string[];
  bundle?: string;
  crid: string;
  cid?: string;
  cat?: string[];
  cattax?: number;
  attr?: number[];
  language?: string;
  dealid?: string;
  mtype: 4;
  exp?: number;
  ext?: BidExt;
}

export interface BidExt {
  /** The buyer's transparency information under the Digital Services Act. */
  dsa?: object;
  service?: { buyerSeat: string };
}

/** The report in a test-mode response. */
export interface TestReport {
  test: true;
  valid: true;
  integrationLevel: 1 | 2 | 3 | 4;
  warnings: Warning[];
  /** Since the start of the auction: from then on one valid bid ends it. */
  softDeadlineMs: number;
  /** Since the start of the auction: it ends then at the latest. */
  hardDeadlineMs: number;
  partners: PartnerReport[];
}

/** A problem that does not make the request invalid. */
export interface Warning {
  code: string;
  field: string;
  message: string;
}
