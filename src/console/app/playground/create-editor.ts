/** The JSON editor: CodeMirror in a shadow root, where its styles are adopted style sheets, which the content security policy permits. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, Prec, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, tooltips } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { editorTheme } from './editor-theme.ts';

export interface Editor {
  text(): string;
  setText(text: string): void;
  mark(diagnostics: Diagnostic[]): void;
  /** Selects the range and scrolls to it. */
  select(from: number, to: number): void;
  destroy(): void;
}

const highlight = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
]);

const appearance = [
  syntaxHighlighting(highlight),
  editorTheme,
  // A tooltip above the first line would cover the controls of the page.
  tooltips({
    tooltipSpace: ({ dom }) => {
      const { clientWidth: right, clientHeight: bottom } = document.documentElement;
      return { left: 0, top: dom.getBoundingClientRect().top, right, bottom };
    },
  }),
];

/** Also shown below the editor. */
export const editorHelp = 'Ctrl-Enter runs the request in test mode: nothing is billed. F8 moves to the next problem.';
const helpId = 'editor-help';

/** References to ids do not leave the shadow root. */
function describedIn(root: ShadowRoot): Record<string, string> {
  const help = Object.assign(document.createElement('p'), { id: helpId, hidden: true, textContent: editorHelp });
  root.replaceChildren(help);
  return { 'aria-describedby': helpId };
}

export function createEditor(host: HTMLElement, onRun: () => void, onChange: (text: string) => void): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const run = () => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent: root,
    root,
    extensions: [
      // The default keys bind Mod-Enter to another command.
      Prec.highest(
        keymap.of([
          { key: 'Ctrl-Enter', run },
          { key: 'Mod-Enter', run },
        ]),
      ),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      history(),
      json(),
      lineNumbers(),
      lintGutter(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      EditorView.lineWrapping,
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({ 'aria-label': 'Bid request', ...describedIn(root) }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
      appearance,
    ],
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => {
      replaceText(view, text);
      view.dispatch(setDiagnostics(view.state, []));
    },
    mark: (diagnostics) => view.dispatch(setDiagnostics(view.state, diagnostics)),
    select: (from, to) => {
      const end = view.state.doc.length;
      const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

/** The first text is not a change that could be undone. */
function replaceText(view: EditorView, text: string): void {
  const { length } = view.state.doc;
  const annotations = Transaction.addToHistory.of(length > 0);
  view.dispatch({ changes: { from: 0, to: length, insert: text }, annotations, scrollIntoView: true });
}
