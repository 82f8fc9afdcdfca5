import type { Data, FileChange } from "@pith/agent";
import { plural } from "@pith/kit";
import { type DiffCode, type DiffLine, diffRows, type Highlighter, parsePatch, width } from "@pith/tui/theme";
import { type Canvas, head, linesOf, plainLine, rowOf, type View } from "../canvas.ts";

export const diff: View<Data["diff"]> = {
  brief(data) {
    const { files } = data;
    const sum = (key: "added" | "removed") => files.reduce((total, file) => total + file[key], 0);
    const counts = `+${sum("added")} -${sum("removed")}`;
    const told = files.length === 1 ? counts : `${plural(files.length, "file")} ${counts}`;
    return [...rewritten(data), ...(files.length === 0 && data.totalReplacements !== undefined ? [] : [told])].join(
      ", ",
    );
  },
  rows: ({ files }, _, canvas) => files.flatMap((file) => [title(file, canvas), ...body(file, canvas)]),
  rest(data, shown, canvas, path = "") {
    const [only, ...more] = data.files;
    const isNamed = only && path.endsWith(only.path) && !only.from;
    return isNamed && more.length === 0 ? body(only, canvas) : diff.rows(data, shown, canvas);
  },
  tinted: (brief, theme) =>
    brief
      .replace(/\+\d+/, (count) => theme.paint("added", count))
      .replace(/-\d+$/, (count) => theme.paint("removed", count)),
};

/** Facts about a rewrite by structure. */
function rewritten({ totalReplacements, scopePath, filesSearched, limitReached, applied }: Data["diff"]): string[] {
  if (typeof totalReplacements !== "number") return [];
  const where = typeof scopePath === "string" && scopePath !== "" ? ` in ${scopePath}` : "";
  return [
    `${plural(totalReplacements, "replacement")}${where}`,
    ...(applied === true || totalReplacements === 0 ? [] : ["not applied yet"]),
    ...(typeof filesSearched === "number" && filesSearched > 0 ? [`searched ${filesSearched}`] : []),
    ...(limitReached === true ? ["limit reached"] : []),
  ];
}

/** The title of a file; its counts stay when a long path is cut. */
function title({ path, change, from, added, removed }: FileChange, canvas: Canvas): string {
  const { theme, columns } = canvas;
  const [more, less] = [plainLine(`+${added}`), plainLine(`-${removed}`)];
  const room = Math.max(8, columns - width(`${more} ${less}`) - 1);
  const name = rowOf(plainLine(`${change} ${from ? `${from} → ` : ""}${path}`), { ...canvas, columns: room }, "strong");
  return rowOf(`${name} ${theme.paint("added", more)} ${theme.paint("removed", less)}`, canvas);
}

/** The hunks of a patch, without its names; a text that is no patch is shown as it is. */
function body({ path, patch }: FileChange, canvas: Canvas): string[] {
  const [first, ...rest] = parsePatch(patch);
  // The line numbers say where the diff begins.
  const lines = first && (first.kind !== "gap" || first.text !== "") ? [first, ...rest] : rest;
  if (lines.length === 0) return head(linesOf(patch), canvas, "dim");
  // Without room for all of it, lines far from a change are left out.
  const close = lines.length > canvas.height ? closeTo(lines) : lines;
  // A line of the diff takes at least one row, so more than these would not be seen.
  const seen = close.slice(0, canvas.height);
  const drawn = diffRows(seen, canvas.columns, canvas.theme, "inline", codeIn(path, canvas.code));
  return head(drawn, canvas, "text", drawn.length + close.length - seen.length);
}

/** Colours for the code of a file, by the end of its name. */
export function codeIn(path: string, highlighter: Highlighter | undefined): DiffCode | undefined {
  const [, language] = /(?:^|[./\\])([\w+]+)$/.exec(path.toLowerCase()) ?? [];
  return highlighter && language !== undefined ? { highlighter, language } : undefined;
}

/** The lines next to changes, with a gap where others are left out between them. */
function closeTo(lines: readonly DiffLine[]): DiffLine[] {
  const isGap = (line: DiffLine | undefined) => line === undefined || line.kind === "gap";
  const near = lines.flatMap((line, at): DiffLine[] => {
    if (isNear(lines, at)) return [line];
    return at > 0 && isNear(lines, at - 1) ? [{ kind: "gap", text: "" }] : [];
  });
  return near.filter((line, at) => !isGap(line) || line.text !== "" || !(isGap(near[at - 1]) || isGap(near[at + 1])));
}

const isNear = (lines: readonly DiffLine[], at: number): boolean =>
  lines[at]?.kind !== "same" || [at - 1, at + 1].some((other) => /^(?:added|removed)$/.test(lines[other]?.kind ?? ""));
