/** Reads what the bidding endpoint sent in test mode: problems, warnings, the partners' reports and the winning bids. */
import type { AuctionPartner, TryResult } from '../../contract/console-api.ts';
import { asArray, asNumber, asObject, asString, tryParse } from '../../json/read-values.ts';

export interface Problem {
  code: string;
  /** Empty if the problem is not about a field. */
  field: string;
  reason: string;
}

export interface WinningBid {
  impid: string;
  seat: string;
  price: number;
  currency: string;
  adm: string;
  advertiser: string;
}

export interface ReadResult {
  problems: Problem[];
  warnings: Problem[];
  level: number | undefined;
  partners: AuctionPartner[];
  softDeadlineMs: number | null;
  hardDeadlineMs: number | null;
  winners: WinningBid[];
}

export function readResult({ status, body }: Pick<TryResult, 'status' | 'body'>): ReadResult {
  const response = asObject(tryParse(body));
  const report = asObject(asObject(response.ext).service);
  return {
    problems: status < 400 ? [] : readProblems(status, asObject(response.error)),
    warnings: asArray(report.warnings).map((warning) => readProblem(asObject(warning))),
    level: asNumber(report.integrationLevel),
    partners: asArray(report.partners).map(readPartner),
    softDeadlineMs: asNumber(report.softDeadlineMs) ?? null,
    hardDeadlineMs: asNumber(report.hardDeadlineMs) ?? null,
    winners: readWinners(response),
  };
}

/** In test mode `details.errors` has all errors; otherwise the body has one. */
function readProblems(status: number, error: Record<string, unknown>): Problem[] {
  const details = asObject(error.details);
  const all = asArray(details.errors).map((one) => readProblem(asObject(one)));
  if (all.length > 0) return all;
  return [
    {
      code: asString(error.code) || `HTTP ${status}`,
      field: asString(details.field),
      reason: asString(details.reason) || asString(error.message) || 'The response has no error body.',
    },
  ];
}

const readProblem = (error: Record<string, unknown>): Problem => ({
  code: asString(error.code),
  field: asString(error.field),
  reason: asString(error.reason) || asString(error.message),
});

function readPartner(value: unknown): AuctionPartner {
  const partner = asObject(value);
  const deadlineMs = asNumber(partner.deadlineMs);
  const detail = asString(partner.detail);
  return {
    name: asString(partner.name),
    outcome: asString(partner.outcome),
    ...(detail && { detail }),
    startMs: asNumber(partner.startMs) ?? 0,
    durationMs: asNumber(partner.durationMs) ?? 0,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    bids: asNumber(partner.bids) ?? 0,
    rejected: asArray(partner.rejected).map((bid) => {
      const { reason, detail, impid } = asObject(bid);
      return { reason: asString(reason), detail: asString(detail), impid: asString(impid) };
    }),
    lost: asArray(partner.lost).map((bid) => {
      const { impid, price } = asObject(bid);
      return { impid: asString(impid), price: asNumber(price) ?? 0 };
    }),
    repaired: asArray(partner.repaired).map((bid) => {
      const { impid, detail } = asObject(bid);
      return { impid: asString(impid), detail: asString(detail) };
    }),
  };
}

function readWinners(response: Record<string, unknown>): WinningBid[] {
  return asArray(response.seatbid).flatMap((value) => {
    const { seat, bid } = asObject(value);
    return asArray(bid).map((one) => {
      const { impid, price, adm, adomain } = asObject(one);
      return {
        impid: asString(impid),
        seat: asString(seat),
        price: asNumber(price) ?? 0,
        currency: asString(response.cur) || 'USD',
        adm: typeof adm === 'string' ? adm : JSON.stringify(adm ?? null),
        advertiser: asArray(adomain).map(asString).join(', '),
      };
    });
  });
}
