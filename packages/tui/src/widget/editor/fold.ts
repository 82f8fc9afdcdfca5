import { countLines } from "@pith/kit";
import { oneLine } from "../../text/clean.ts";

/** Something that stands in the text as a short mark: a long paste, a picture, a file. */
export interface TextFold {
  readonly mark: string;
  readonly content:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "attachment"; readonly name: string; readonly data: unknown };
}

const longLines = 10;
const longText = 2000;

/** The mark that stands for the nth paste of a text; undefined when the paste is shown. */
function markOf(text: string, n: number): string | undefined {
  const lines = countLines(text);
  if (lines <= longLines && text.length <= longText) return undefined;
  return `[paste #${n} ${lines > longLines ? `+${lines} lines` : `${text.length} chars`}]`;
}

/** The folds of a text, found by their marks. */
export class TextFolds {
  #folds: TextFold[] = [];
  #pastes = 0;
  #attached = 0;

  /** The mark for a paste that is too long to be shown, or the paste itself. */
  paste(text: string): string {
    const mark = markOf(text, this.#pastes + 1);
    if (mark === undefined) return text;
    this.#pastes++;
    return this.#add({ mark, content: { kind: "text", text } });
  }

  attach(name: string, data: unknown): string {
    return this.#add({
      mark: `[${oneLine(name)} #${++this.#attached}]`,
      content: { kind: "attachment", name, data },
    });
  }

  /** Ranges of the marks in a text, each of which moves and is deleted as one character. */
  readonly atoms = (text: string): (readonly [from: number, to: number])[] => {
    if (this.#folds.length === 0 || !text.includes("[")) return [];
    return this.#folds.flatMap(({ mark }) => {
      const from = text.indexOf(mark);
      return from === -1 ? [] : [[from, from + mark.length] as const];
    });
  };

  /** The text with pastes in the place of their marks, and what is attached to it. */
  expand(text: string): { text: string; attachments: readonly TextFold[] } {
    const present = this.of(text);
    // Each paste is put where its own mark stood: a paste may itself contain the mark of another one.
    const pastes = present
      .flatMap(({ mark, content }) =>
        content.kind === "text" ? [{ mark, pasted: content.text, from: text.indexOf(mark) }] : [],
      )
      .sort((one, other) => one.from - other.from);
    let whole = "";
    let at = 0;
    for (const { mark, pasted, from } of pastes) {
      whole += text.slice(at, from) + pasted;
      at = from + mark.length;
    }
    return {
      text: whole + text.slice(at),
      attachments: present.filter(({ content }) => content.kind === "attachment"),
    };
  }

  /** The folds whose marks stand in a text. */
  of(text: string): readonly TextFold[] {
    return this.#folds.filter(({ mark }) => text.includes(mark));
  }

  restore(folds: readonly TextFold[]): void {
    this.#folds = [...folds];
    const highest = (kind: TextFold["content"]["kind"]) =>
      Math.max(
        0,
        ...folds.map(({ mark, content }) => (content.kind === kind && Number(/#(\d+)/.exec(mark)?.[1])) || 0),
      );
    this.#pastes = highest("text");
    this.#attached = highest("attachment");
  }

  #add(fold: TextFold): string {
    this.#folds.push(fold);
    return fold.mark;
  }
}
