/** Formats numbers and times for people. */

const number = (digits: number) => new Intl.NumberFormat('en', { maximumFractionDigits: digits });
const whole = number(0);
const one = number(1);
const two = number(2);
const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export const none = '–';

export const formatCount = (value: number): string => whole.format(value);
export const formatNumber = (value: number): string => two.format(value);
export const formatRate = (value: number): string => (value < 10 ? one : whole).format(value);
export const formatMs = (value: number | null): string =>
  value === null ? none : `${(value < 10 ? two : value < 100 ? one : whole).format(value)} ms`;
export const formatPercent = (share: number | null): string => (share === null ? none : `${one.format(share * 100)}%`);
export const formatUsd = (value: number | null): string => (value === null ? none : `$${formatAmount(value)}`);
export const formatPrice = (value: number, currency: string): string => `${formatAmount(value)} ${currency}`;

/** Two decimals, below 1 as many as three significant digits need. */
export function formatAmount(value: number): string {
  if (value >= 1 || value <= 0) return twoDecimals.format(Number(value.toFixed(2)));
  const decimals = Math.min(20, 2 - Math.floor(Math.log10(value)));
  return value.toFixed(decimals).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Hours, minutes and seconds in the time zone of the reader. */
export const formatTime = (ms: number): string => new Date(ms).toLocaleTimeString('en-GB');

/** The time, after the date (`2026-01-05`) unless it is that of `nowMs`. */
export function formatDateTime(ms: number, nowMs: number): string {
  const date = dateOf(ms);
  return date === dateOf(nowMs) ? formatTime(ms) : `${date} ${formatTime(ms)}`;
}

/** The Swedish format is that of ISO 8601. */
const dateOf = (ms: number): string => new Date(ms).toLocaleDateString('sv-SE');

/** An error of the API as a sentence of its own. */
export const asSentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!…]$/.test(text) ? '' : '.');
