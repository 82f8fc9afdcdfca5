/** Edits as models write them who learned another form: as a patch of the form that we read. */
export function othersPatch(written: string): string | undefined {
  const text = unfenced(written.replaceAll("\r\n", "\n"));
  const sections = fromDiff(text) ?? fromBlocks(text);
  if (sections && sections.length > 0) return ["*** Begin Patch", ...sections, "*** End Patch"].join("\n");
  return text === written ? undefined : text;
}

/** The text without the fence of Markdown around all of it. */
function unfenced(text: string): string {
  const [, fence = "", inner] = /^\s*(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?\s*$/.exec(text) ?? [];
  return inner?.trimEnd().endsWith(`\n${fence}`) ? inner.trimEnd().slice(0, -fence.length) : text;
}

const pathOf = (line: string): string =>
  line
    .replace(/\t.*$/, "")
    .replace(/^(?:[ab]\/)/, "")
    .trim();

/** The sections of a unified diff; what only git says of it is left out. */
function fromDiff(text: string): string[] | undefined {
  if (!/^(?:diff --git .*|index .*|---) /.test(text.trimStart())) return undefined;
  const parts = text.split(/^(?=--- .*\n\+\+\+ )/m).filter((part) => part.startsWith("--- "));
  return parts.flatMap((part) => {
    const [old = "", fresh = "", ...rows] = part.split("\n");
    const [from, to] = [pathOf(old.slice(4)), pathOf(fresh.slice(4))];
    const end = rows.findIndex((row) => /^(?:diff --git|index) /.test(row));
    const hunks = (end < 0 ? rows : rows.slice(0, end)).filter((row) => !row.startsWith("\\ "));
    while (hunks.at(-1) === "") hunks.pop();
    if (to === "/dev/null") return [`*** Delete File: ${from}`];
    if (from === "/dev/null") return [`*** Add File: ${to}`, ...hunks.filter((row) => row.startsWith("+"))];
    // The lines of a diff without its spaces at empty ones, as models write it.
    const changes = hunks.map((row) => (row.startsWith("@@") ? "@@" : row === "" ? " " : row));
    return [`*** Update File: ${from}`, ...(to === from ? [] : [`*** Move to: ${to}`]), ...changes];
  });
}

const block = /^<{5,9} ?SEARCH\n([\s\S]*?)^={5,9}\n([\s\S]*?)^>{5,9} ?REPLACE *$/gm;

/** The sections of SEARCH and REPLACE blocks; a path stands on the line before the first block of a file. */
function fromBlocks(text: string): string[] | undefined {
  let [path, at] = ["", 0];
  const sections: string[] = [];
  for (const { 0: whole, 1: old = "", 2: fresh = "", index } of text.matchAll(block)) {
    const before = text.slice(at, index).split("\n");
    const named = before.findLast((row) => row.trim() !== "" && !/^\s*(?:`{3,}|~{3,})/.test(row))?.trim();
    at = index + whole.length;
    const next = named ?? path;
    if (next === "") return undefined;
    if (next !== path) sections.push(`*** Update File: ${next}`);
    path = next;
    sections.push("@@", ...signed("-", old), ...signed("+", fresh));
  }
  return sections;
}

const signed = (sign: string, text: string): string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((row) => sign + row);
