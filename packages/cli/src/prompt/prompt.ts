import type { Input } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import { complain, type Io } from "../io/io.ts";
import type { Attachment } from "./attach.ts";
import { readPiped } from "./piped.ts";

export interface PromptSource {
  /** Words of the command line; one that begins with `@` names a file. */
  words: readonly string[];
  /** Words that are taken as they are. */
  plain: readonly string[];
  piped: "read" | "ignore";
}

/** What the user said on the command line. */
export interface Said {
  input: Input;
  /** What was typed itself, without what was piped in or attached: only that can be a command. */
  typed: string | undefined;
  /** The same with other words in the place of the typed ones. */
  worded(text: string): Input;
}

/** Puts together what the user said: piped text first, then files, then the words. Undefined when nothing was said. */
export async function readPrompt(
  { words, plain, piped }: PromptSource,
  io: Io,
): Promise<Result<Said | undefined, "usage">> {
  const isFile = (word: string) => word.startsWith("@") && word.length > 1;
  const text = [...words.filter((word) => !isFile(word)), ...plain].join(" ");
  const files: Attachment[] = [];
  for (const word of words.filter(isFile)) {
    const { attach } = await import("./attach.ts");
    const file = await attach(word.slice(1), io);
    if (!file.ok) return file;
    files.push(file.value);
  }
  let stdin: string | undefined;
  if (piped === "read") {
    const prompt = text !== "" || files.length > 0 ? "given" : "missing";
    const read = await readPiped(io.input, { prompt, onSilence: (then) => complain(io, silence[then]) });
    if (!read.ok) return read;
    stdin = read.value;
  }
  const input = compose(stdin, files, text);
  if (!input) return ok(undefined);
  const worded = (other: string) => compose(stdin, files, other) ?? { text: other };
  return ok({ input, typed: plain.length === 0 && text.startsWith("/") ? text : undefined, worded });
}

const silence = {
  waiting: "waiting for the piped input to end (< /dev/null gives none)",
  "going on": "nothing came on standard input; going on without it",
};

function compose(piped: string | undefined, files: readonly Attachment[], text: string): Input | undefined {
  if (piped === undefined && files.length === 0) return text.trim() === "" ? undefined : { text };
  // Piped text alone is the prompt itself.
  if (piped !== undefined && files.length === 0 && text === "") return { text: piped };
  const pieces = [
    ...(piped === undefined ? [] : [block("<stdin>", piped, "</stdin>")]),
    ...files.map((file) =>
      "text" in file ? block(label(file.path), file.text, "</file>") : `${label(file.path)}attached image</file>`,
    ),
    ...(text === "" ? [] : [text]),
  ];
  const images = files.flatMap((file) => ("image" in file ? [file.image] : []));
  return { text: pieces.join("\n\n"), ...(images.length > 0 ? { images } : {}) };
}

const label = (path: string) => `<file path=${JSON.stringify(path)}>`;
const block = (open: string, text: string, close: string) =>
  `${open}\n${text}${text.endsWith("\n") ? "" : "\n"}${close}`;
