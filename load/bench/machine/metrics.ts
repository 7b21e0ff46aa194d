/** The metrics of a running exchange. */

/** By name and labels, as they stand in the text for Prometheus. */
export type Metrics = ReadonlyMap<string, number>;

export async function readMetrics(admin: string): Promise<Metrics> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Of all series that match. */
export const sumOf = (metrics: Metrics, series: RegExp): number =>
  [...metrics].filter(([name]) => series.test(name)).reduce((sum, [, value]) => sum + value, 0);
