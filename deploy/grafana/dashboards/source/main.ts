/** Writes the dashboards that Grafana reads anew: node deploy/grafana/dashboards/source/main.ts */
import { writeFileSync } from 'node:fs';
import { dashboards, renderDashboard } from './files.ts';

for (const dashboard of dashboards) {
  const { path, text } = await renderDashboard(dashboard);
  writeFileSync(path, text);
}
