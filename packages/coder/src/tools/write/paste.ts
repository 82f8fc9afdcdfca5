import { readTagHeader } from "../../snapshot/header.ts";

/**
 * What a read prints around the lines of a file and a model may paste back: headers `[path#TAG]` and numbers `12:`.
 * Taken away only when all of it looks like that: the numbers count up line by line.
 */
export function withoutPasted(content: string): { content: string; stripped: boolean } {
  const lines = content.split("\n");
  const headed = lines.filter((line) => readTagHeader(line) !== undefined);
  const rest = headed.length > 0 ? lines.filter((line) => readTagHeader(line) === undefined) : lines;
  const numbers = numbered(rest);
  if (!numbers && headed.length === 0) return { content, stripped: false };
  // A header alone is taken only from the top, where a read has it; elsewhere it may be meant.
  if (!numbers)
    return readTagHeader(lines[0] ?? "")
      ? { content: lines.slice(1).join("\n"), stripped: true }
      : { content, stripped: false };
  return { content: rest.map((line) => line.replace(/^[ *]?\d+[:|]/, "")).join("\n"), stripped: true };
}

function numbered(lines: readonly string[]): boolean {
  let last = 0;
  let count = 0;
  for (const [i, line] of lines.entries()) {
    if (line === "" && i === lines.length - 1) break;
    const number = Number(/^[ *]?(\d+)[:|]/.exec(line)?.[1] ?? Number.NaN);
    if (!(last === 0 ? number > 0 : number === last + 1)) return false;
    last = number;
    count++;
  }
  return count > 1;
}
