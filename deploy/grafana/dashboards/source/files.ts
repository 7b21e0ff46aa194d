/** The dashboards as the files that Grafana reads. */
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { toDashboard } from './dashboard.ts';
import { exchange } from './exchange.ts';
import { partners } from './partners.ts';

export const dashboards = [exchange, partners];

/** Where a dashboard is kept, and what that file is to say. */
export async function renderDashboard(spec: (typeof dashboards)[number]): Promise<{ path: string; text: string }> {
  const path = fileURLToPath(new URL(`../${spec.title.toLowerCase()}.json`, import.meta.url));
  const text = await format(JSON.stringify(toDashboard(spec)), { ...(await resolveConfig(path)), filepath: path });
  return { path, text };
}
