/** End marks of templates; a server that lets calls through as text lets these through too. */
export const ends: readonly string[] = [
  "<|im_end|> <|eot_id|> <|eom_id|> <|end|> <|call|> <|return|> <|end_of_text|> <|endoftext|> <|end_of_sentence|>",
  "<|observation|> <|END_RESPONSE|> <|END_TEXT|> <|END_OF_TURN_TOKEN|> <end_of_turn> </s> </tool_calls> [/TOOL_CALLS]",
].flatMap((marks) => marks.split(" "));

/** End of a text without trailing end marks. */
export function wordsEnd(text: string): number {
  let at = text.length;
  for (let marks = 0; marks < most; marks++) {
    const words = text.slice(0, at).trimEnd();
    if (!/[>\]]$/.test(words.slice(-1))) return at;
    const tail = plainSigns(words.slice(-longest));
    const end = ends.find((mark) => tail.endsWith(mark));
    if (end === undefined) return at;
    at = words.length - end.length;
  }
  return at;
}

/** Length of the end marks at the start of a text. */
export function endsAt(text: string): number {
  let at = 0;
  for (let marks = 0; marks < most; marks++) {
    const blank = text.slice(at).search(/\S|$/);
    const start = plainSigns(text.slice(at + blank, at + blank + longest));
    const end = ends.find((mark) => start.startsWith(mark));
    if (end === undefined) return at;
    at += blank + end.length;
  }
  return at;
}

/** Replaces DeepSeek's look-alikes of `|` and `_`. */
export const plainSigns = (text: string): string => text.replace(/｜/g, "|").replace(/▁/g, "_");

/** End marks that are removed at most. */
const most = 8;
const longest = Math.max(...ends.map(({ length }) => length));

/** True when a text begins with marks of other speakers: the model made up results or a user message. */
export const isMadeUp = (behind: string): boolean => others.test(plainSigns(behind.slice(0, 200)));
const others = new RegExp(
  `^\\s*(?:${[
    "<(?:tool|function)_(?:response|result|output)s?>",
    "\\[TOOL_RESULTS\\]",
    "<\\|tool_(?:response|outputs?_begin)\\|>",
    "<\\|(?:im_start|start_header_id|user|START_TOOL_RESULT)\\|>",
    "<\\|start\\|>(?!assistant)",
  ].join("|")})`,
);
