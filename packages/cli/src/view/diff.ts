import type { Data, FileChange } from "@pith/agent";
import type { Theme } from "../theme/theme.ts";
import { head, linesOf, type View } from "./draw.ts";

export const diff: View<Data["diff"]> = ({ files }, _, draw) =>
  files.flatMap((file) => [title(file, draw), ...head(body(file, draw), draw)]);

function title({ path, change, from, added, removed }: FileChange, draw: Parameters<typeof diff>[2]): string {
  const [name = ""] = linesOf(`${change} ${from ? `${from} → ` : ""}${path}`, { ...draw, width: draw.width - 16 });
  return `${draw.theme.strong(name)} ${draw.theme.good(`+${added}`)} ${draw.theme.bad(`-${removed}`)}`;
}

/** The hunks alone: the names above them are in the title already. */
function body({ patch }: FileChange, draw: Parameters<typeof diff>[2]): string[] {
  const lines = linesOf(patch, draw);
  const start = lines.findIndex((line) => line.startsWith("@@"));
  return lines.slice(Math.max(0, start)).map((line) => paint(line, draw.theme));
}

function paint(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.good(line);
  if (line.startsWith("-")) return theme.bad(line);
  return line.startsWith("@@") ? theme.accent(line) : theme.dim(line);
}
