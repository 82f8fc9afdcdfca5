import { createHighlighter, plainTheme } from "@pith/tui";
import { type ColourCode, escapeHtml } from "./prose.ts";

// Signs that no text for people has; where one stands all the same, it is left out.
const [open, middle, close] = ["\ue0f0", "\ue0f1", "\ue0f2"];
const signs = /[\ue0f0-\ue0f2]/g;

/** Loads the languages of the code in these texts, for a page in the colours of the terminal. */
export async function loadCode(texts: Iterable<string>): Promise<ColourCode> {
  const paint = (token: string, text: string) => `${open}${token}${middle}${text}${close}`;
  const highlighter = createHighlighter({ ...plainTheme, paint }, () => {});
  const names = new Set<string>();
  for (const text of texts)
    for (const [, name = ""] of text.matchAll(/^ *(?:`{3,}|~{3,}) *([\w+#-]+)/gm)) names.add(name);
  await Promise.all([...names].map((name) => highlighter.load(name.toLowerCase())));
  return (code, language) => {
    const lines = highlighter.lines(code.replace(signs, ""), language.toLowerCase());
    return lines && escapeHtml(lines.join("\n")).replace(marked, spanOf).replaceAll(close, "</span>");
  };
}

const marked = new RegExp(`${open}(\\w+)${middle}`, "g");
const spanOf = (_: string, token: string): string => `<span class="c-${token}">`;
