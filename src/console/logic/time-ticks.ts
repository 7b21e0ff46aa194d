/** Places the labels of a time axis. */

const stepsSeconds = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300];
const longStepSeconds = 600;
/** The width of a label such as 12:34:56, and the space around it. */
const labelPx = 70;
const maxLabels = 8;

/** At whole steps, in seconds since the epoch: 4 to 8 of them, fewer if there is no room. */
export function timeTicks(from: number, to: number, widthPx: number): number[] {
  const count = Math.max(1, Math.min(maxLabels, Math.floor(widthPx / labelPx)));
  const least = (to - from) / count;
  const step = stepsSeconds.find((seconds) => seconds >= least) ?? Math.ceil(least / longStepSeconds) * longStepSeconds;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step);
}
