// The texts the model reads when its edit cannot be taken as written. They name the line of the input first.
const verbs = "Use `replace N..M:`, `delete N..M`, or `insert before|after|head|tail:`";

export const message = {
  noHeader: (got: string) =>
    `input must begin with "[PATH#HASH]" on the first non-blank line for anchored edits; got: ${JSON.stringify(short(got))}`,
  noTag: (path: string) =>
    `Missing hashline snapshot tag for anchored edit to ${path}; use [${path}#tag] from your latest read/search output.`,
  stray: (got: string) =>
    `payload line has no preceding hunk header. ${verbs} above the body. Got ${JSON.stringify(short(got))}.`,
  minus:
    "`-` rows are not valid; hashline ranges already name the lines being changed. To insert a literal line starting with `-`, write `+-…`.",
  emptyReplace: "`replace N..M:` needs at least one `+TEXT` body row. To delete lines, use `delete N..M`.",
  emptyInsert: "`insert` needs at least one `+TEXT` body row.",
  emptyBlock: "`replace block N:` needs at least one `+TEXT` body row. To delete a block, use `delete block N`.",
  deleteBody: "`delete N..M` does not take body rows. Remove the body, or use `replace N..M:`.",
  deleteBlockBody:
    "`delete block N` does not take body rows. Remove the body, or use `replace block N:` to replace the block.",
  backwards: (from: number, to: number) => `range ${from}..${to} ends before it starts.`,
  taken: (anchor: number, other: number) =>
    `anchor line ${anchor} is already targeted by another hunk on line ${other}. Issue ONE hunk per range; payload is only the final desired content, never a before/after pair.`,
  sentinel: (row: string) =>
    `apply_patch sentinel ${JSON.stringify(short(row))} is not valid in hashline. File sections start with \`[path#HASH]\` (no \`Update File:\` / \`Add File:\` keyword). ${verbs} ops.`,
  unified: `unified-diff hunk header (\`@@ -N,M +N,M @@\`) is not valid in hashline. ${verbs} ops.`,
  bracketed: (row: string) =>
    `\`@@\`-bracketed hunk header ${JSON.stringify(short(row))} is not valid in hashline. Drop the \`@@ ... @@\` brackets and write a verb header such as \`replace N..M:\`.`,
  bareNumber: (n: string) =>
    `hunk headers need a verb. Use \`replace ${n}..${n}:\` to replace, or \`delete ${n}\` to delete.`,
  bareRange: (row: string, from: string, to: string) =>
    `bare range hunk header ${JSON.stringify(row)} is not valid. Hunk headers need a verb: write \`replace ${from}..${to}:\` or \`delete ${from}..${to}\`.`,
  noBlock: (verb: "replace" | "delete", n: number) =>
    `\`${verb} block ${n}${verb === "replace" ? ":" : ""}\` could not resolve a syntactic block beginning on line ${n}. The language may be unsupported, the line may be blank or a closing delimiter, or the block may not parse. Use \`${verb} ${n}..M${verb === "replace" ? ":" : ""}\` with the block's explicit end line instead.`,
  noLine: (n: number, count: number) => `Line ${n} does not exist (file has ${count} lines)`,
  noOps: (path: string) => `The section of ${path} has no operation. ${verbs}.`,
  twoTags: (path: string) =>
    `The sections of ${path} name different tags. Put all its operations under the newest one. Nothing was changed.`,
  noChange: (path: string) =>
    `Edits to ${path} parsed and applied cleanly, but produced no change: your body row(s) are byte-identical to the file at the targeted lines. The bug is somewhere else — re-read the file before issuing another edit. Do NOT widen the payload or add lines; verify the anchor first.`,
};

export const warning = {
  bare:
    "Auto-prefixed bare body row(s) with +. Body rows must be +TEXT literal lines; " +
    "a row without + may be taken for a header.",
  abort: "`*** Abort` ended the input; the operations before it were applied.",
  external: (header: string) =>
    `${header} is out of date: the file was changed outside this session. The edit was carried over to the same lines, which are unchanged; check the lines that are shown.`,
  chain: (header: string) =>
    `${header} is from before your own later edits. The line numbers were moved along with them; use the newest tag for the next edit.`,
  replay: (header: string) =>
    `${header} is from before your own later edits, and the file was changed outside this session after them. The edit was carried over to the same lines, which are unchanged; check the lines that are shown.`,
};

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
