/** The specification's table Site and App. */
import type { App, Site } from '../bid-request.ts';
import { maxPublisherIdLength } from '../../contract/api-limits.ts';
import { maxDomainLength } from '../domain-set.ts';
import { domainName } from './formats.ts';
import { list } from './list.ts';
import { object, string, text } from './rules.ts';

const domain = () => string().max(maxDomainLength).custom(domainName);
const bundle = () =>
  string()
    .max(maxDomainLength)
    .pattern(/^[A-Za-z0-9._-]+$/, 'ASCII letters, digits, ., - and _');
const cat = () => list(text(), { max: 50 });
const keywords = () => text().max(8192);
const publisher = () => object({ id: text().max(maxPublisherIdLength) });

export const site = object<Site>({
  id: text(),
  name: text(),
  domain: domain(),
  cat: cat(),
  keywords: keywords(),
  publisher: publisher(),
});

export const app = object<App>({
  id: text(),
  bundle: bundle(),
  cat: cat(),
  keywords: keywords(),
  publisher: publisher(),
});
