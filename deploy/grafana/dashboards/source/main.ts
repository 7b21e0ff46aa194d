/** Writes the dashboards as JSON files: `make dashboards`. */
import { writeFileSync } from 'node:fs';
import { dashboards, renderDashboard } from './dashboards.ts';

for (const dashboard of dashboards) {
  const { path, text } = await renderDashboard(dashboard);
  writeFileSync(path, text);
}
