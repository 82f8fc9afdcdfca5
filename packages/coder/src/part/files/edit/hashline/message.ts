// Texts for a model whose edit cannot be taken as written. They name the line of the input first.
import { shorten } from "@pith/kit";

const verbs = "`replace N..M:`, `delete N..M`, `insert before N:` or `insert after N:`";

export const message = {
  noHeader: (got: string) =>
    `The first row is not a header \`[PATH#TAG]\`: ${quoted(got)}. Copy it from what read, search, write or edit printed.`,
  noTag: (path: string) =>
    `The header of ${path} has no tag. Read the file, then begin the section with [${path}#TAG].`,
  largeTag: (path: string) =>
    `${path} is too large for a tag. Give \`path\` and \`edits\` with \`oldText\` and \`newText\` instead of \`input\`.`,
  stray: (got: string) => `${quoted(got)} belongs to no operation. Put ${verbs} above it.`,
  minus: "`-` rows are not needed: the numbers say what goes. A new line that begins with `-` is written `+-…`.",
  notMinus: (from: number, to: number) =>
    `The \`-\` rows are not what stands in ${linesText(from, to)}. Leave them out once the numbers are right.`,
  context: "A row without a sign stands among `-` rows. Only lines that change are given: `+` before each new one.",
  emptyReplace: "`replace` has no `+` row. To take lines away write `delete N..M`.",
  emptyInsert: "`insert` has no `+` row.",
  emptyBlock: "`replace block` has no `+` row. To take a block away write `delete block N`.",
  deleteColon: (row: string) => `No colon behind a deletion: write \`${row.replace(/\s*:$/, "")}\`.`,
  deleteBody: "A deletion has no rows below it. To put something in the place of lines write `replace N..M:`.",
  backwards: (from: number, to: number) => `${from}..${to} ends before it begins.`,
  taken: (anchor: number, other: number) =>
    `Line ${anchor} is already changed by the operation on line ${other}. One operation per range, with the final lines only.`,
  twice: (other: number) =>
    `The operation on line ${other} inserts at the same place. Put the rows of both below one of them.`,
  sentinel: (row: string) =>
    `${quoted(row)} is a row of another format. A section begins with \`[PATH#TAG]\`; below it stand ${verbs}.`,
  diffHead: (row: string) => `${quoted(row)} is the head of a diff. Write ${verbs} instead.`,
  bareNumber: (n: string) => `${n} alone does not say what to do. Write \`replace ${n}..${n}:\` or \`delete ${n}\`.`,
  bareRange: (from: string, to: string) =>
    `${from}..${to} alone does not say what to do. Write \`replace ${from}..${to}:\` or \`delete ${from}..${to}\`.`,
  noBlock: (verb: "replace" | "delete", n: number) =>
    `No block begins on line ${n}: it may be blank or an end, or the language is not known or does not parse. Write \`${verb} ${n}..M${verb === "replace" ? ":" : ""}\` with its last line.`,
  unseen: (header: string, ranges: readonly (readonly [number, number])[]) =>
    `You were not shown ${ranges.map(([from, to]) => linesText(from, to)).join(", ")} of ${header}, which this edit takes away. Nothing was changed. Here they are; if they shall go, send the same edit again, the tag is still good.`,
  moreUnseen: (count: number) => `… ${count} more`,
  noLine: (n: number, count: number) => `There is no line ${n}: the file ends with line ${count}.`,
  noOps: (path: string) => `The section of ${path} has no operation: write ${verbs}.`,
  twoTags: (path: string) =>
    `The sections of ${path} name different tags. Put all its operations under the newest one.`,
  noChange: (path: string) =>
    `${path} already reads like this at these lines. Look for the cause elsewhere, or check the line numbers.`,
};

export const warning = {
  bare: "Rows without + were taken as new lines. Begin each with +: another row may be taken for an operation.",
  numbers: "Rows began with the numbers of the lines that they replace; these were left out.",
  abort: "`*** Abort` ended the input; the operations before it were applied.",
  external: (header: string) =>
    `${header} is out of date: the file was changed outside this session. The edit was carried over to the same lines, which are unchanged; check the lines that are shown.`,
  chain: (header: string) =>
    `${header} is from before your own later edits. The line numbers were moved along with them; use the newest tag for the next edit.`,
  replay: (header: string) =>
    `${header} is from before your own later edits, and the file was changed outside this session after them. The edit was carried over to the same lines, which are unchanged; check the lines that are shown.`,
};

const quoted = (text: string): string => JSON.stringify(shorten(text, 120));
const linesText = (from: number, to: number): string => (from === to ? `line ${from}` : `lines ${from}-${to}`);
