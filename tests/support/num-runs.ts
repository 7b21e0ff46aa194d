/** The number of runs of a property: all of them in `make test`, a fifth in `make test-fast`. */
const scale = Number(process.env.PROPERTY_SCALE ?? 1);

export const numRuns = (full: number): number => Math.ceil(full * scale);
