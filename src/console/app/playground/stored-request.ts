/** The request of the editor in the session storage of the tab, so that loading the page again does not discard it. */
import { asObject, tryParse } from '../../../json/read-values.ts';

/** Never the API key. */
interface StoredRequest {
  example?: string;
  text?: string;
}

const key = 'gavel-playground';

export function readStoredRequest(): StoredRequest {
  const { example, text } = asObject(tryParse(readText()));
  return {
    ...(typeof example === 'string' && { example }),
    ...(typeof text === 'string' && { text }),
  };
}

/** A browser may deny storage, or have no room. */
export function storeRequest({ example, text }: StoredRequest): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ example, text }));
  } catch {
    // The request is then lost when the page is loaded again.
  }
}

function readText(): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}
