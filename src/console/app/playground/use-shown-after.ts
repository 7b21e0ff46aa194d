/** Scrolls to the result of a run where it is out of sight: on a narrow screen it is below the editor. */
import { useEffect, useRef } from 'preact/hooks';

/** The part of the screen in which a heading shows that something new is below it. */
const visiblePart = 0.8;

/** Scrolls the element into view each time that `runs` has increased. */
export function useShownAfter(runs: number) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (runs === 0) return;
    const { top } = element.current!.getBoundingClientRect();
    if (top >= 0 && top < innerHeight * visiblePart) return;
    const isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.current!.scrollIntoView({ behavior: isReduced ? 'instant' : 'smooth', block: 'start' });
  }, [runs]);
  return element;
}
