/** Checks the links of a native response: where a click leads, and who is notified of it. */
import { describeValue } from '../json/describe-value.ts';
import { isPresent, type JsonObject } from '../json/guards.ts';
import type { MarkupCheck } from './markup-check.ts';
import type { Link } from './native-response.ts';
import { isCustomUrl, isWebUrl } from './web-url.ts';

/** Undefined if a click must not lead to `url`. `owner` is where the link stands: "" or "asset 3: ". */
export function checkLink(link: JsonObject, check: MarkupCheck, owner: string): Link | undefined {
  const { url, fallback } = link;
  const hasFallback = isWebUrl(fallback);
  if (!isWebUrl(url) && !(check.isApp && hasFallback && isCustomUrl(url))) return undefined;
  const checked: Link = { url };
  const clicktrackers = checkClickTrackers(link.clicktrackers, check, owner);
  if (clicktrackers) checked.clicktrackers = clicktrackers;
  if (hasFallback) checked.fallback = fallback;
  else if (isPresent(fallback)) check.repair(() => `${owner}link.fallback ${notWeb(fallback)}; removed`);
  return checked;
}

/** Why `checkLink` refuses a link. */
export function describeBadLink({ url, fallback }: JsonObject, { isApp }: MarkupCheck): string {
  if (!isApp || !isCustomUrl(url)) return `link.url ${notWeb(url)}`;
  const problem = isPresent(fallback) ? `link.fallback ${notWeb(fallback)}` : 'link.fallback is missing';
  return `link.url ${describeValue(url)} has a custom scheme, which requires an http or https fallback; ${problem}`;
}

/** Click trackers may be `http` even if the impression is secure. */
function checkClickTrackers(trackers: unknown, check: MarkupCheck, owner: string): string[] | undefined {
  if (!isPresent(trackers)) return undefined;
  if (!Array.isArray(trackers)) {
    check.repair(() => `${owner}link.clicktrackers is not a list; removed`);
    return undefined;
  }
  const kept: string[] = [];
  for (const url of trackers as unknown[]) {
    if (isWebUrl(url)) kept.push(url);
    else check.repair(() => `${owner}click tracker ${notWeb(url)}; removed`);
  }
  return kept.length > 0 ? kept : undefined;
}

export const notWeb = (url: unknown): string =>
  isPresent(url) ? `${describeValue(url)} is not an absolute http or https URL` : 'is missing';
