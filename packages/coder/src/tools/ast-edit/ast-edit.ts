import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { pathList, scopePaths } from "../scope.ts";
import about from "./ast-edit.md" with { type: "text" };
import type { AstEditParts } from "./run.ts";

const input = s.object({
  ops: s.array(s.object({ pat: s.string(), out: s.string() })).min(1),
  paths: pathList().describe("Files, directories, globs"),
});
type Input = s.Infer<typeof input>;

export function astEdit(parts: AstEditParts): Tool<Input> {
  parts.pending.serve("ast_edit", async (plan, signal) => (await import("./run.ts")).applyRewrite(parts, plan, signal));
  return tool({
    name: "ast_edit",
    about,
    input,
    effect: "read",
    deferrable: true,
    paths: ({ paths }) => scopePaths(parts, paths),
    async run(given, { signal }): Promise<Outcome> {
      const wrong = wrongOps(given.ops);
      if (wrong) return refusal(wrong);
      const { showRewrite } = await import("./run.ts");
      return showRewrite(parts, given, signal);
    },
  });
}

function wrongOps(ops: Input["ops"]): string | undefined {
  if (ops.some(({ pat }) => pat.trim() === "")) return "`pat` must not be empty";
  const pats = ops.map(({ pat }) => pat.trim());
  const twice = pats.find((pat, i) => pats.indexOf(pat) !== i);
  return twice === undefined ? undefined : `Duplicate rewrite pattern: ${twice}`;
}
