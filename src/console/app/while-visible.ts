/** Work that a hidden tab does not need. */

/** Starts now or when the tab is shown, and stops while it is hidden. Returns the function that ends it. */
export function whileVisible(start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const update = () => {
    if (document.visibilityState === 'visible') {
      stop ??= start();
      return;
    }
    stop?.();
    stop = undefined;
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    stop?.();
  };
}
