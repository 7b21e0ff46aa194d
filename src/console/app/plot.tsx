/** A plot of the last 15 minutes, one line per series. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { formatTime, none } from '../logic/format.ts';
import 'uplot/dist/uPlot.min.css';

export interface Series {
  label: string;
  values: (number | null)[];
  /** A dashed line of the same colour as the series before it. */
  isTarget?: boolean;
}

interface Props {
  title: string;
  testid: string;
  /** In milliseconds since the epoch. */
  times: number[];
  series: Series[];
}

const toTime = (seconds: number) => formatTime(seconds * 1_000);
const heightPx = 200;
const colours = ['--plot-1', '--plot-2', '--plot-3', '--plot-4', '--plot-5', '--plot-6'];

export function Plot({ title, testid, times, series }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const scheme = useColourScheme();
  const data = [times.map((ms) => ms / 1_000), ...series.map(({ values }) => values)] as uPlot.AlignedData;
  const names = series.map(({ label }) => label).join();
  useEffect(() => {
    const element = host.current!;
    const created = new uPlot(optionsOf(series, element), data, element);
    plot.current = created;
    const observer = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: heightPx }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      created.destroy();
    };
  }, [names, scheme]);
  useEffect(() => plot.current?.setData(data), [times.at(-1), names]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div ref={host} data-testid={testid} data-latest={times.at(-1)} data-points={times.length} />
    </figure>
  );
}

function optionsOf(series: Series[], host: HTMLElement): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 } };
  let line = -1;
  return {
    width: host.clientWidth,
    height: heightPx,
    series: [
      { label: 'time', value: (_plot, seconds) => (seconds === null ? none : toTime(seconds)) },
      ...series.map(({ label, isTarget = false }): uPlot.Series => {
        if (!isTarget) line += 1;
        const stroke = colour(colours[line % colours.length]!);
        return { label, stroke, width: isTarget ? 1 : 1.5, points: { show: false }, ...(isTarget && { dash: [6, 4] }) };
      }),
    ],
    axes: [
      { ...axis, values: (_plot, ticks) => ticks.map(toTime) },
      { ...axis, size: 56 },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, (max ?? 0) * 1.1)] } },
    cursor: { drag: { x: false, y: false } },
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
