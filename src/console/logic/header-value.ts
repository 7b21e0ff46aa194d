/** What a header of HTTP can hold: Latin-1 without control characters. `fetch` rejects other values. */
export const isHeaderValue = (text: string): boolean => /^[\t -~\u0080-\u00ff]*$/.test(text);
