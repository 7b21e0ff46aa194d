/** The OpenRTB 2.6 bid request on the wire. Only the members that the exchange reads are typed. */

export interface BidRequest {
  id: string;
  imp: Imp[];
  test?: number;
  at?: 1 | 2;
  tmax?: number;
  cur?: string[];
  bcat?: string[];
  cattax?: number;
  badv?: string[];
  bapp?: string[];
  wseat?: string[];
  bseat?: string[];
  source?: Source;
  site?: Site;
  app?: App;
  device?: Device;
  user?: User;
  regs?: Regs;
  ext?: { service?: ContextSignals };
}

/** Where the request comes from. The 2.6 path of the supply chain takes precedence over the one in `ext`. */
export interface Source {
  schain?: SupplyChain;
  ext?: { schain?: SupplyChain };
}

export interface SupplyChain {
  nodes?: object[];
}

export interface Imp {
  id: string;
  native: Native;
  /** Not validated: may be any JSON. 1, "1" and true count as set. */
  secure?: unknown;
  pmp?: Pmp;
  video?: { minduration?: number; maxduration?: number };
  bidfloor?: number;
  bidfloorcur?: string;
  ext?: { service?: { adcpFormats?: AdcpFormat[] }; service_product_search?: unknown };
}

export interface Native {
  request: string;
  ver?: string;
  api?: number[];
  battr?: number[];
}

/** The private marketplace: the deals that are offered on an impression. */
export interface Pmp {
  private_auction?: 0 | 1;
  deals?: Deal[];
}

export interface Deal {
  id: string;
  bidfloor?: number;
  bidfloorcur?: string;
  at?: DealType;
  wseat?: string[];
  wadomain?: string[];
}

/** 1: first price. 2: second price. 3: fixed price, which is the deal's `bidfloor`. */
export type DealType = 1 | 2 | 3;

export interface AdcpFormat {
  agent_url: string;
  id: string;
}

interface Inventory {
  id?: string;
  cat?: string[];
  keywords?: string;
  publisher?: { id?: string };
}

export interface Site extends Inventory {
  name?: string;
  domain?: string;
}

export interface App extends Inventory {
  bundle?: string;
}

export interface Device {
  ua?: string;
  ip?: string;
  language?: string;
  devicetype?: number;
  geo?: { lat?: number; lon?: number; country?: string };
  /** Not validated: may be any JSON. */
  lmt?: unknown;
  /** Not validated: may be any JSON. */
  dnt?: unknown;
}

export interface User {
  id?: string;
  gender?: 'M' | 'F' | 'O';
  data?: { id?: string; name?: string; segment?: { id?: string }[] }[];
  ext?: { consent?: string };
  consent?: string;
}

interface PrivacySignals {
  gdpr?: 0 | 1;
  us_privacy?: string;
  gpp?: string;
  gpp_sid?: number[];
}

export interface Regs extends PrivacySignals {
  /** `gpc` and `dsa` are not validated: they may be any JSON. */
  ext?: PrivacySignals & { gpc?: unknown; dsa?: unknown };
  coppa?: 0 | 1;
}

/** The context extension, `ext.service`. */
export interface ContextSignals {
  messageSequenceNumber: number;
  messageLength: number;
  isQuickReply: boolean;
  userThinkTimeMs?: number;
  sessionDurationMs: number;
  intent?: { value: string; confidence: number; topics: string[]; signals: string[] };
  sentiment?: { value: 'positive' | 'neutral' | 'negative'; score: number };
  funnel?: { stage: 'awareness' | 'consideration' | 'intent' | 'conversion'; progress: number };
  audience?: { interests?: string[]; behaviors?: string[] };
}
