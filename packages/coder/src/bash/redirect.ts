import { blanks } from "./blank.ts";
import { char, endsWord, isDigit } from "./character.ts";
import type { BashReader } from "./reader.ts";
import type { Redirect, Word } from "./tree.ts";
import { type ReadWord, readWord } from "./word/word.ts";

/** A redirection that begins here, with the number before it or not. */
export function redirect(reader: BashReader): Redirect | undefined {
  const start = reader.at;
  const fd = descriptor(reader);
  // Behind `&>` there is no number: `2&>a` is a command, then another.
  const op = reader.at !== start && (fd === undefined || reader.peek() === char.and) ? undefined : operator(reader);
  if (op === undefined) {
    reader.at = start;
    return undefined;
  }
  blanks(reader);
  const at = reader.at;
  const read = closing(reader, op) ?? readWord(reader, "argument");
  const next = reader.peek();
  // In `< 2>a` the number belongs to what follows.
  const taken = op.endsWith("&") ? /^\{\w+\}$/ : /^(?:\d+|\{\w+\})$/;
  if (
    !read ||
    ((next === char.less || next === char.more) && reader.second() !== char.open && taken.test(read.bare ?? ""))
  ) {
    reader.stop(reader.peek() === -1 ? "open" : "unexpected", `a ${op} names no file`, start);
    return undefined;
  }
  const target = read.word;
  const made: Redirect = {
    ...reader.span(start),
    op,
    ...(fd !== undefined && { fd }),
    target,
    touches: touches(op, read.bare),
  };
  if (op === "<<" || op === "<<-") awaitDocument(reader, made, reader.source.slice(at, reader.at));
  return made;
}

/** The `-` of `<&-`: what stands right behind it is a word of its own. */
function closing(reader: BashReader, op: Redirect["op"]): ReadWord | undefined {
  if ((op !== "<&" && op !== ">&") || !reader.take(char.minus)) return undefined;
  const span = reader.span(reader.at - 1);
  return { word: { ...span, segments: [{ kind: "text", text: "-", ...span }] }, bare: "-" };
}

/** The redirections behind a command of several. */
export function redirectsBehind(reader: BashReader): Redirect[] {
  const found: Redirect[] = [];
  for (;;) {
    const { at } = reader;
    blanks(reader);
    const next = redirect(reader);
    if (!next) {
      reader.at = at;
      return found;
    }
    found.push(next);
  }
}

function operator(reader: BashReader): Redirect["op"] | undefined {
  const first = reader.peek();
  if (first !== char.less && first !== char.more && first !== char.and) return undefined;
  if (first === char.and ? reader.second() !== char.more : reader.second() === char.open) return undefined;
  let op = String.fromCharCode(first);
  reader.at++;
  for (;;) {
    const longer = op + String.fromCharCode(reader.peek());
    if (!operators.has(longer)) return op as Redirect["op"];
    op = longer;
    reader.at++;
  }
}

const operators = new Set<string>(["<<", "<<-", "<<<", "<>", "<&", ">>", ">|", ">&", "&>", "&>>"]);

/** `2` of `2>`, `fd` of `{fd}>`. */
function descriptor(reader: BashReader): string | undefined {
  const code = reader.peek();
  if (!isDigit(code) && code !== char.braceOpen) return undefined;
  let text = "";
  for (let next = code; !endsWord(next); next = reader.peek()) {
    text += String.fromCharCode(next);
    reader.at++;
    if (!(isDigit(next) || code === char.braceOpen)) return undefined;
  }
  const named = /^\{([A-Za-z_]\w*(?:\[[^\]$`'"\\]+\])?)\}$/.exec(text)?.[1];
  return named ?? (/^\d+$/.test(text) ? text : undefined);
}

function touches(op: Redirect["op"], bare: string | undefined): Redirect["touches"] {
  if (op === "<") return "read";
  if (op === "<>") return "both";
  if (op.startsWith("<")) return "none";
  return op === ">&" && bare !== undefined && /^(?:\d+-?|-)$/.test(bare) ? "none" : "write";
}

function awaitDocument(reader: BashReader, made: Redirect, source: string): undefined {
  const { segments } = made.target;
  let delimiter = "";
  for (const piece of segments) {
    if (piece.kind === "dynamic") return reader.stop("unsure", "a here-document ends at a text that is not plain");
    delimiter += piece.text;
  }
  if (/\$['"]|\n/.test(source)) return reader.stop("unsure", "a here-document ends at a text that is not plain");
  reader.heredocs.push({
    start: made.start,
    end: made.end,
    delimiter,
    tabs: made.op === "<<-" ? "strip" : "keep",
    quoted: segments.some(({ kind }) => kind === "quoted"),
    take(body: Word) {
      made.body = body;
    },
  });
}
