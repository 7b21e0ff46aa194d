/** A plot of the last 15 minutes, one line per series. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { formatNumber, formatTime, none } from '../logic/format.ts';
import { isolatedPoints } from '../logic/isolated-points.ts';
import { withGaps } from '../logic/plot-gaps.ts';
import { timeTicks } from '../logic/time-ticks.ts';
import 'uplot/dist/uPlot.min.css';

export interface Series {
  label: string;
  values: (number | null)[];
  /** A dashed line of the same colour as the series before it. */
  isTarget?: boolean;
}

interface Props {
  title: string;
  /** The unit of the values, at the y axis and in the legend. */
  unit: 'ms' | 'requests/s';
  testid: string;
  /** In milliseconds since the epoch. */
  times: number[];
  series: Series[];
}

/** Lines alone would not show requests that are seldom. */
const points: uPlot.Series.Points = {
  show: true,
  size: 4,
  filter: (plot, index) => isolatedPoints(plot.data[index] as (number | null)[]),
};
const toTime = (seconds: number) => formatTime(seconds * 1_000);
/** The width of the plot is in pixels of the device. */
const ticksOf: uPlot.Axis.Splits = (plot, _axis, from, to) => timeTicks(from, to, plot.bbox.width / devicePixelRatio);
const heightPx = 200;
const colours = ['--plot-1', '--plot-2', '--plot-3', '--plot-4', '--plot-5', '--plot-6'];

export function Plot({ title, unit, testid, times, series }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const scheme = useColourScheme();
  const data = dataOf(times, series);
  const names = series.map(({ label }) => label).join();
  useEffect(() => {
    const element = host.current!;
    const created = new uPlot(optionsOf(series, unit, element), data, element);
    plot.current = created;
    const observer = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
    };
  }, [names, scheme]);
  useEffect(() => {
    plot.current?.setData(data);
    showLatest(plot.current!);
  }, [times.at(-1), names, scheme]);
  return (
    <figure>
      <figcaption>
        {title}
        {series.length === 0 && <span class="quiet">: none</span>}
      </figcaption>
      <div ref={host} data-testid={testid} data-latest={times.at(-1)} data-points={times.length} />
    </figure>
  );
}

function dataOf(times: number[], series: Series[]): uPlot.AlignedData {
  const drawn = withGaps(
    times,
    series.map(({ values }) => values),
  );
  return [drawn.times.map((ms) => ms / 1_000), ...drawn.series];
}

/** The legend has the latest values, unless the pointer is on the plot. */
function showLatest(plot: uPlot): void {
  if ((plot.cursor.left ?? -1) < 0) plot.setLegend({ idx: plot.data[0].length - 1 });
}

function optionsOf(series: Series[], unit: Props['unit'], host: HTMLElement): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } };
  const format = unit === 'ms' ? (value: number) => `${formatNumber(value)} ms` : formatNumber;
  let line = -1;
  return {
    width: host.clientWidth,
    height: heightPx,
    series: [
      { label: 'time', value: (_plot, seconds) => (seconds === null ? none : toTime(seconds)) },
      ...series.map(({ label, isTarget = false }): uPlot.Series => {
        if (!isTarget) line += 1;
        const stroke = colour(colours[line % colours.length]!);
        const value: uPlot.Series.Value = (_plot, shown) => (shown === null ? none : format(shown));
        const dash = isTarget ? { dash: [6, 4] } : {};
        return { label, stroke, value, width: isTarget ? 1 : 1.5, points, ...dash };
      }),
    ],
    axes: [
      { ...axis, splits: ticksOf, values: (_plot, ticks) => ticks.map(toTime) },
      { ...axis, size: 56, label: unit, labelSize: 20, labelGap: 0, values: (_plot, ticks) => ticks.map(formatNumber) },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, (max ?? 0) * 1.1)] } },
    cursor: { drag: { x: false, y: false } },
    hooks: { setCursor: [showLatest] },
  };
}

function useColourScheme(): boolean {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const [isDark, setIsDark] = useState(dark.matches);
  useEffect(() => {
    const update = () => setIsDark(dark.matches);
    dark.addEventListener('change', update);
    return () => dark.removeEventListener('change', update);
  }, []);
  return isDark;
}
