import { refusal, schema as s, type Tool } from "@pith/agent";
import { pathList } from "../../../tools/path-list.ts";
import about from "./ast-edit.md" with { type: "text" };
import type { AstEditOptions } from "./run.ts";

const input = s.object({
  ops: s.array(s.object({ pat: s.string(), out: s.string() })).min(1),
  paths: pathList().describe("Files, directories, globs"),
});
type Input = s.Infer<typeof input>;

export function astEdit(options: AstEditOptions): Tool<Input> {
  options.pending.serve("ast_edit", async (plan, how) => (await import("./run.ts")).prepareRewrite(options, plan, how));
  return {
    name: "ast_edit",
    label: "Rewrite code by its structure: rename, refactor, codemod",
    companions: ["resolve"],
    about,
    input,
    looks: true,
    deferrable: true,
    async prepare(wanted, { signal }) {
      const wrong = wrongOps(wanted.ops);
      if (wrong) return refusal(wrong);
      const { prepareShown } = await import("./run.ts");
      return prepareShown(options, wanted, signal);
    },
  };
}

function wrongOps(ops: Input["ops"]): string | undefined {
  if (ops.some(({ pat }) => pat.trim() === "")) return "`pat` must not be empty";
  const pats = ops.map(({ pat }) => pat.trim());
  const twice = pats.find((pat, i) => pats.indexOf(pat) !== i);
  return twice === undefined ? undefined : `Duplicate rewrite pattern: ${twice}`;
}
