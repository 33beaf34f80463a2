// The editor of a live cell, bundled into one file by esbuild. Escape leaves it, and so does Tab: Enter indents by itself.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Colours are properties of the page, which knows light and dark.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--live-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--live-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--live-number)" },
  { tag: tags.comment, color: "var(--live-comment)", fontStyle: "italic" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], color: "var(--live-name)" },
]);

export function editor({ place, text, cursor, label, keys, changed }) {
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    indentUnit.of("    "),
    python(),
    syntaxHighlighting(colours),
    keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
    EditorView.updateListener.of(update => update.docChanged && changed(update.state.doc.toString())),
  ];
  return new EditorView({ parent: place, state: EditorState.create({ doc: text, selection: { anchor: cursor }, extensions }) });
}
