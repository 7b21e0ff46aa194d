/** The publisher id of a request: `site.publisher.id` or `app.publisher.id`. */
import { maxPublisherIdLength } from '../contract/api-limits.ts';
import type { BidRequest } from './bid-request.ts';

/** The publisher id of a valid request, which never has both a site and an app. May be empty. */
export const publisherIdOf = ({ site, app }: Pick<BidRequest, 'site' | 'app'>): string | undefined =>
  (site ?? app)?.publisher?.id;

/** Before validation, of any JSON: an id that is empty, too long or not a string counts as absent. */
export function readPublisherId(body: unknown): string | undefined {
  const { site, app } = (body ?? {}) as Record<string, { publisher?: { id?: unknown } } | undefined>;
  return usableId(site?.publisher?.id) ?? usableId(app?.publisher?.id);
}

/** Validation rejects a longer id; it must not become a key before that. */
const usableId = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' && id.length <= maxPublisherIdLength ? id : undefined;
