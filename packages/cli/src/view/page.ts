import type { Data } from "@pith/agent";
import { formatBytes } from "@pith/kit";
import { fit, linesOf, type View } from "./draw.ts";

/** What was read is for the model; a person wants to know which part of what. */
export const page: View<Data["page"]> = ({ path, from, to, totalLines, bytes }, _, draw) => {
  const part =
    from !== undefined && to !== undefined
      ? `lines ${from}-${to}${totalLines === undefined ? "" : ` of ${totalLines}`}`
      : undefined;
  const facts = [part, bytes === undefined ? undefined : formatBytes(bytes)].filter((fact) => fact !== undefined);
  const [name = ""] = linesOf(path, draw);
  return [draw.theme.dim(fit([name, ...facts].join(", "), draw.width))];
};
