/** The list of dashboards, and each rendered as the file that Grafana reads. */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { toDashboard } from './dashboard.ts';
import { exchange } from './exchange.ts';
import { partners } from './partners.ts';

export const dashboards = [exchange, partners];

/** Returns the path of a dashboard's file and its content. */
export async function renderDashboard(spec: (typeof dashboards)[number]): Promise<{ path: string; text: string }> {
  const path = fileURLToPath(new URL(`../${spec.title.toLowerCase()}.json`, import.meta.url));
  const text = await format(JSON.stringify(toDashboard(spec)), { ...(await resolveConfig(path)), filepath: path });
  return { path, text };
}
