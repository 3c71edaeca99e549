// The editor of a rulebook. It has a root of its own, so that its styles need no inline code.

import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic as Mark, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { LitElement, css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { colours, rulebook } from "./rulebook";

export interface Found {
  code: string; severity: "error" | "warning"; file: string | null; line: number | null; column: number | null;
  end_line: number | null; end_column: number | null; message: string; suggestion: string | null;
  fix: { column: number; end_column: number; text: string } | null;
}

export interface Word { label: string; type: string }

@customElement("lw-editor")
export class Editor extends LitElement {
  @property() label = "";
  @query(".editor") private place!: HTMLElement;
  private names: Word[] = [];
  private view?: EditorView;

  render() { return html`<div class="editor"></div>`; }

  static styles = css`:host, .editor { display: block; height: 100%; }`;

  protected firstUpdated(): void {
    this.view = new EditorView({ parent: this.place, root: this.renderRoot as ShadowRoot, state: this.stateOf("") });
    this.dispatchEvent(new CustomEvent("ready"));
  }

  get text(): string { return this.view?.state.doc.toString() ?? ""; }

  set text(text: string) { this.view?.setState(this.stateOf(text)); }

  private stateOf(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), history(), highlightActiveLine(), bracketMatching(), indentUnit.of("  "),
        rulebook, syntaxHighlighting(colours), lintGutter(), EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": this.label || "Rulebook", tabindex: "0" }),
        autocompletion({ override: [(context) => this.complete(context)] }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.dispatchEvent(new CustomEvent("edit"));
        }),
        look,
      ],
    });
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word || (word.from === word.to && !context.explicit) || !insideFence(context.state.doc, word.from)) return null;
    return { from: word.from, options: this.names, validFor: /^\w*$/ };
  }

  offer(names: Word[]): void { this.names = names; }

  /** Shows what the checker has found; a suggestion that names a word can be taken. */
  mark(found: Found[]): void {
    const view = this.view;
    if (!view) return;
    const doc = view.state.doc;
    const marks: Mark[] = found.map((one) => {
      const from = offset(doc, one.line, one.column);
      const to = Math.max(from, offset(doc, one.end_line, one.end_column));
      const fix = one.fix;
      return {
        from, to, severity: one.severity, source: one.code,
        message: one.suggestion && !fix ? `${one.message}\n${one.suggestion}` : one.message,
        // where the text has moved since, the whole mark has moved with it
        actions: fix ? [{ name: `Replace by ${fix.text}`, apply: (editor: EditorView, start: number) => {
          const at = start + offset(doc, one.line, fix.column) - from;
          editor.dispatch({ changes: { from: at, to: at + fix.end_column - fix.column, insert: fix.text } });
        } }] : [],
      };
    });
    marks.sort((a, b) => a.from - b.from);
    view.dispatch(setDiagnostics(view.state, marks));
  }

  next(): void {
    if (!this.view) return;
    this.view.focus();
    nextDiagnostic(this.view);
  }
}

function offset(doc: Text, line: number | null, column: number | null): number {
  if (line === null || column === null || line < 1) return 0;
  const found = doc.line(Math.min(line, doc.lines));
  return Math.min(found.to, found.from + column - 1);
}

function insideFence(doc: Text, at: number): boolean {
  let inside = false;
  for (let line = 1; line < doc.lineAt(at).number; line++) {
    if (/^\s*```/.test(doc.line(line).text)) inside = !inside;
  }
  return inside;
}

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--ink3)", border: "0" },
  ".cm-activeLine": { backgroundColor: "var(--soft)" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--raise)", color: "var(--ink)", border: "1px solid var(--line2)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--act)", color: "var(--on-act)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", padding: "6px 10px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--err)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--act)", color: "var(--on-act)", borderRadius: "6px", padding: "3px 8px" },
});
