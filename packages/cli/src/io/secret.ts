import type { Io } from "./io.ts";

/** Reads a line that is typed without being shown, or all of standard input when it is no terminal. */
export async function readSecret(
  question: string,
  io: Pick<Io, "input" | "err" | "isTerminal">,
): Promise<string | "interrupted"> {
  if (!(await io.isTerminal("in"))) return await readAll(io.input);
  io.err.write(question);
  process.stdin.setRawMode?.(true);
  try {
    return await readKeys(io.input);
  } finally {
    process.stdin.setRawMode?.(false);
    io.err.write("\n");
  }
}

const maxChars = 64 * 1024;

async function readAll({ bytes }: Io["input"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytes()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxChars) break;
  }
  return text;
}

async function readKeys({ bytes }: Io["input"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytes()) {
    for (const char of decoder.decode(chunk, { stream: true })) {
      if (char === "\r" || char === "\n" || char === "\u0004") return text;
      if (char === "\u0003") return "interrupted";
      text = char === "\u007f" || char === "\b" ? text.slice(0, -1) : text + char;
    }
  }
  return text;
}
