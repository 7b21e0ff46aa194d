/** Hosts the editor, which outlives renderings. */
import { useEffect, useRef } from 'preact/hooks';
import { createEditor, type Editor } from './create-editor.ts';
import { restore } from './use-playground.ts';

interface Props {
  editor: { current: Editor | undefined };
  run: () => Promise<void>;
  change: (text: string) => void;
}

export function EditorHost({ editor, run, change }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latestRun = useRef(run);
  latestRun.current = run;
  useEffect(() => {
    const created = createEditor(host.current!, () => void latestRun.current(), change);
    editor.current = created;
    restore(created);
    return () => {
      created.destroy();
      editor.current = undefined;
    };
  }, []);
  return <div class="editor" data-testid="editor" ref={host} />;
}
