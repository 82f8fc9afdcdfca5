import { countLines } from "@pith/kit";
import { oneLine } from "../../text/clean.ts";
import type { Atoms } from "./buffer.ts";

/** Something that stands in the text as a short mark: a long paste, a picture, a file. */
export interface TextFold {
  readonly mark: string;
  readonly content:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "attachment"; readonly name: string; readonly data: unknown };
}

export interface TextFolds {
  /** The mark for a paste that is too long to be shown, or the paste itself. */
  paste(text: string): string;
  attach(name: string, data: unknown): string;
  readonly atoms: Atoms;
  /** The text as it was meant, and what is attached to it. */
  expand(text: string): { text: string; attachments: readonly TextFold[] };
  /** What stands behind the marks of a text, and the same put back. */
  of(text: string): readonly TextFold[];
  restore(folds: readonly TextFold[]): void;
  clear(): void;
}

const longLines = 10;
const longText = 2000;

export function createFolds(): TextFolds {
  let folds: TextFold[] = [];
  let pastes = 0;
  let attached = 0;
  const keep = (fold: TextFold) => {
    folds.push(fold);
    return fold.mark;
  };
  return {
    paste(text) {
      const lines = countLines(text);
      if (lines <= longLines && text.length <= longText) return text;
      pastes++;
      const size = lines > longLines ? `+${lines} lines` : `${text.length} chars`;
      return keep({ mark: `[paste #${pastes} ${size}]`, content: { kind: "text", text } });
    },
    attach(name, data) {
      attached++;
      return keep({ mark: `[${oneLine(name)} #${attached}]`, content: { kind: "attachment", name, data } });
    },
    atoms(text) {
      if (folds.length === 0 || !text.includes("[")) return [];
      return folds.flatMap(({ mark }) => {
        const from = text.indexOf(mark);
        return from === -1 ? [] : [[from, from + mark.length] as const];
      });
    },
    expand(text) {
      const present = folds.filter((fold) => text.includes(fold.mark));
      const pasted = present.filter(({ content }) => content.kind === "text");
      // Each where it stands: what was pasted may itself hold a mark.
      const places = pasted.map(({ mark, content }) => ({ mark, content, from: text.indexOf(mark) }));
      let whole = "";
      let at = 0;
      for (const { mark, content, from } of places.toSorted((one, other) => one.from - other.from)) {
        whole += text.slice(at, from) + (content.kind === "text" ? content.text : "");
        at = from + mark.length;
      }
      return {
        text: whole + text.slice(at),
        attachments: present.filter((fold) => fold.content.kind === "attachment"),
      };
    },
    of: (text) => folds.filter(({ mark }) => text.includes(mark)),
    restore(kept) {
      folds = [...kept];
      const highest = (kind: TextFold["content"]["kind"]) =>
        Math.max(
          0,
          ...kept.flatMap(({ mark, content }) => (content.kind === kind ? Number(/#(\d+)/.exec(mark)?.[1] ?? 0) : [])),
        );
      pastes = highest("text");
      attached = highest("attachment");
    },
    clear() {
      folds = [];
      pastes = 0;
      attached = 0;
    },
  };
}
