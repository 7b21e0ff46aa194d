/** The page that the hash of the URL names, such as `#/auctions?id=…`. */
import { useEffect, useState } from 'preact/hooks';

export const pageNames = ['playground', 'live', 'partners', 'auctions', 'errors', 'reference'] as const;
export type PageName = (typeof pageNames)[number];

export interface Route {
  page: PageName;
  query: URLSearchParams;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return readRoute(hash);
}

function readRoute(hash: string): Route {
  const [name, query] = hash.replace(/^#\/?/, '').split('?');
  return { page: pageNames.find((page) => page === name) ?? 'playground', query: new URLSearchParams(query ?? '') };
}

export const auctionsHref = (requestId: string): string => `#/auctions?id=${encodeURIComponent(requestId)}`;
