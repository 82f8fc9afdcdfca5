import type { CallView, Intent, Tool, Verdict } from "@pith/agent";
import { realPath } from "@pith/kit";
import type { Scratch } from "@pith/kit/test";
import { parse } from "../bash/parse.ts";
import { policy } from "../part/policy/policy.ts";
import { type Approval, type Inside, insideOf } from "../policy/approval.ts";
import { commandJudge } from "../policy/command-judge.ts";
import { Grants } from "../policy/grant/grant.ts";
import { PolicyRules } from "../policy/rule/policy-rules.ts";
import type { FileRule, Rule } from "../policy/rule/schema.ts";

export interface Given {
  user?: readonly Rule[];
  project?: readonly Rule[];
  files?: readonly FileRule[];
  asks?: boolean;
  modes?: readonly Approval[];
  grants?: Grants;
  inside?: Inside;
}

/** The guard of a conversation about a project in a folder. */
export function guardIn(dir: Scratch, choice: { approval: Approval }, given: Given = {}) {
  const project = dir.at("project");
  const inside = insideOf({ cwd: project, roots: [], home: dir.at("home"), folder: undefined });
  const layers = [
    { origin: { layer: "global" }, items: given.user ?? [] },
    { origin: { layer: "project" }, items: given.project ?? [] },
  ];
  const settings = { lists: () => layers, get: () => given.files ?? [] };
  const { inside: within = inside } = given;
  const userHome = dir.at("user");
  const judge = commandJudge({
    cwd: project,
    userHome,
    inside: within,
    env: { PATH: "/usr/bin:/bin" },
  });
  const part = policy({
    choice,
    inside: within,
    rules: new PolicyRules(settings as never, { roots: within.project, home: realPath(userHome) }),
    grants: given.grants ?? new Grants({ file: dir.at("none.yml"), project, tell: () => {} }),
    tools: { sourceOf: (name: string) => (name.startsWith("mcp") ? "srv" : "pith") },
    asks: given.asks ?? false,
    launch: { modes: given.modes },
    channel: { record: () => {} },
  } as never);
  return (intent: Partial<Intent>, name = "tool") =>
    part?.hooks?.[0]?.call?.({
      call: { type: "toolCall", id: "1", name, arguments: {} },
      tool: { name } as Tool,
      input: {},
      intent: {
        effect: "exec",
        paths: [],
        run: () => Promise.reject(new Error("it is only judged")),
        held: true,
        judged: intent.command === undefined ? undefined : judge({ command: "", ...intent }, parse(intent.command)),
        ...intent,
      },
    } as CallView) as Promise<Verdict>;
}
