/** Distinguishes a click on a row from the end of a text selection in it. */

/** Calls `action` for clicks on the row, unless text is selected. The button of the row always works. */
export const unlessSelecting =
  (action: () => void) =>
  ({ target }: Event): void => {
    const isButton = target instanceof Element && target.closest('button') !== null;
    if (isButton || getSelection()?.isCollapsed !== false) action();
  };
