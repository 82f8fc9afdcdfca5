import { formatCount } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { MakePart } from "../../hall/part.ts";
import type { SessionUsage } from "../../usage/session.ts";
import type { Total } from "../../usage/total.ts";

/** Shows the cost of the session by model. */
export const cost: MakePart<"tree"> = ({ tree }) => ({
  name: "cost",
  commands: [
    {
      name: "cost",
      about: "show the tokens and costs of this session, by model",
      run: async () => show(costText(await (await import("../../usage/session.ts")).sessionUsage(tree))),
    },
  ],
});

function costText({ total, models }: Pick<SessionUsage, "total" | "models">): string {
  const used = total.input + total.output + total.cacheRead + total.cacheWrite;
  if (used === 0) return total.replies === 0 ? "Nothing was asked yet." : "The model does not report what it used.";
  const names = Object.keys(models);
  const wide = Math.max(5, ...names.map((name) => name.length));
  const head = ["", "answers", "in", "out", "from cache", "to cache", "cost"];
  const row = (name: string, of: Total) => [
    name,
    formatCount(of.replies),
    formatCount(of.input),
    formatCount(of.output),
    formatCount(of.cacheRead),
    formatCount(of.cacheWrite),
    of.cost > 0 ? `$${of.cost.toFixed(of.cost < 1 ? 4 : 2)}` : "-",
  ];
  const rows = [head, ...names.map((name) => row(name, models[name] as Total))];
  if (names.length > 1) rows.push(row("all", total));
  const lines = rows.map(([name = "", ...cells]) =>
    [name.padEnd(wide), ...cells.map((cell) => cell.padStart(11))].join("").trimEnd(),
  );
  const unknown = total.unpriced > 0 ? [`The price of ${formatCount(total.unpriced)} tokens is not known.`] : [];
  return [...lines, ...unknown].join("\n");
}
