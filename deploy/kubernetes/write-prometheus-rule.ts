/** Writes the PrometheusRule: `make prometheus-rule`. */
import { writeFileSync } from 'node:fs';
import { renderPrometheusRule } from './prometheus-rule.ts';

const { path, text } = await renderPrometheusRule();
writeFileSync(path, text);
