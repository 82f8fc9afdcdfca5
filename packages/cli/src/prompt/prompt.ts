import type { UserInput } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import { complain, type Io } from "../io/io.ts";
import type { Attachment } from "./attach.ts";
import { readPiped } from "./stdin.ts";

export interface PromptSource {
  /** Words of the command line; one that begins with `@` names a file. */
  words: readonly string[];
  /** Words that are taken literally. */
  plain: readonly string[];
  piped: "read" | "ignore";
}

/** The prompt of the command line. */
export class LaunchPrompt {
  readonly input: UserInput;
  readonly #pieces: Pieces;
  readonly #shown: UserInput | undefined;

  constructor(pieces: Pieces, shown?: UserInput) {
    this.input = compose(pieces, shown) ?? { text: "" };
    this.#pieces = pieces;
    this.#shown = shown;
  }

  /** The typed words, without piped or attached text: only they can be a command. */
  get typed(): string | undefined {
    return this.#pieces.typed;
  }

  /** The typed words, where some may name files by `@`. */
  get naming(): string | undefined {
    const { text, isLiteral } = this.#pieces;
    return !isLiteral && naming.test(text) ? text : undefined;
  }

  /** Files that were named and are still to be shown. */
  get files(): readonly string[] {
    return this.#shown ? [] : this.#pieces.files.flatMap(({ path, text }) => (text === undefined ? [path] : []));
  }

  /** Adds the files as they are shown. */
  shown(files: UserInput): LaunchPrompt {
    return new LaunchPrompt(this.#pieces, files);
  }

  /** Puts other words in the place of the typed ones. */
  worded({ text, ...more }: UserInput): UserInput {
    const input = compose({ ...this.#pieces, text }, this.#shown) ?? { text };
    const images = [...(input.images ?? []), ...(more.images ?? [])];
    return { ...more, ...input, ...(images.length > 0 && { images }) };
  }
}

interface Pieces {
  stdin: string | undefined;
  files: readonly Attachment[];
  text: string;
  typed: string | undefined;
  /** True when some words are to be taken literally. */
  isLiteral: boolean;
}

/** Reads the prompt: piped text first, then files, then the words. Undefined when there is none. */
export async function readPrompt(
  { words, plain, piped }: PromptSource,
  io: Io,
): Promise<Result<LaunchPrompt | undefined, "usage">> {
  const said: string[] = [];
  const files: Attachment[] = [];
  for (const word of words) {
    if (!word.startsWith("@") || word.length === 1) {
      said.push(word);
      continue;
    }
    const { attach } = await import("./attach.ts");
    const file = await attach(word.slice(1), io);
    if (file.ok) files.push(file.value);
    // A sentence may begin with the name of a file.
    else if (/\s/.test(word)) said.push(word);
    else return file;
  }
  const text = [...said, ...plain].join(" ");
  let stdin: string | undefined;
  if (piped === "read") {
    const prompt = text !== "" || files.length > 0 ? "given" : "missing";
    const read = await readPiped(io.input, { prompt, onSilence: (then) => complain(io, silence[then]) });
    if (!read.ok) return read;
    stdin = read.value;
  }
  const typed = plain.length === 0 && text.startsWith("/") ? text : undefined;
  const pieces = { stdin, files, text, typed, isLiteral: plain.length > 0 };
  return ok(compose(pieces, undefined) && new LaunchPrompt(pieces));
}

/** A prompt of words alone. */
export const textPrompt = (text: string, typed: string | undefined): LaunchPrompt =>
  new LaunchPrompt({ stdin: undefined, files: [], text, typed, isLiteral: false });

const naming = /(?:^|\s)@\S/;

const silence = {
  waiting: "waiting for the piped input to end (< /dev/null gives none)",
  "going on": "nothing came on standard input; going on without it",
};

function compose({ stdin, files, text }: Pieces, shown: UserInput | undefined): UserInput | undefined {
  if (stdin === undefined && files.length === 0) return text.trim() === "" ? undefined : { text };
  // Piped text alone is the prompt itself.
  if (stdin !== undefined && files.length === 0 && text === "") return { text: stdin };
  const given = files.flatMap((file) =>
    file.text === undefined ? [] : [`${label(file.path)}\n${file.text.trimEnd()}`],
  );
  const pieces = [
    ...(stdin === undefined ? [] : [`<stdin>\n${stdin}${stdin.endsWith("\n") ? "" : "\n"}</stdin>`]),
    ...given,
    ...(shown ? [shown.text] : []),
    ...(text === "" ? [] : [text]),
  ];
  return { ...shown, text: pieces.join("\n\n") };
}

const label = (path: string) => `Contents of ${path} (already provided — do not re-read):`;
