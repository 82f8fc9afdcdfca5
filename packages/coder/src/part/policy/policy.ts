import type { CallView, Hook, Verdict } from "@pith/agent";
import { fill } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { type Approval, approvals, meanings, sideOf } from "../../policy/approval.ts";
import type { Decision } from "../../policy/decide.ts";
import changedNote from "./changed.md" with { type: "text" };

type Needs = "agent" | "asks" | "channel" | "choice" | "grants" | "inside" | "launch" | "rules" | "tools";

/** The guard before every call: what runs, what asks, what never runs; and `/approval`, which changes it. */
export const policy: MakePart<Needs> = (hall) => {
  const { choice, channel, grants } = hall;
  let told = choice.approval;
  const note: Hook = {
    name: "approval mode",
    step() {
      const before = told;
      told = choice.approval;
      // What nobody has changed is no news; plan mode has words of its own.
      if (before !== told && told !== choice.assumed && before !== "plan" && told !== "plan") {
        const content = fill(changedNote, { before, mode: told, meaning: meanings[told] }).trim();
        channel.record({ type: "custom_message", customType: "pith.note", content, display: false });
      }
      return { do: "go" };
    },
  };
  return {
    name: "policy",
    hooks: [{ name: "policy", call: guard(hall) }, note],
    commands: [
      {
        name: "approval",
        about: "what may run without asking",
        usage: `[${approvals.join("|")}]`,
        when: "any time",
        complete: () => approvals,
        run(words) {
          const wanted = words.trim();
          const mode = approvals.find((one) => one === wanted);
          if (wanted === "") return show(`Approval mode: ${choice.approval}. ${meanings[choice.approval]}`);
          if (!mode) return show(`There is no approval mode ${wanted}; there are ${approvals.join(", ")}.`, "failed");
          choice.configure({ approval: mode });
          // What is asked at this moment may need no answer any more.
          grants.changed();
          return show(`Approval mode: ${mode}. ${meanings[mode]}`);
        },
      },
    ],
  };
};

const load = async () => ({
  ...(await import("../../policy/decide.ts")),
  ...(await import("../../policy/reason.ts")),
  ...(await import("../../policy/rule/rule.ts")),
});
type Loaded = Awaited<ReturnType<typeof load>>;

/** Judges calls; what that takes is loaded by the first. */
function guard(hall: Pick<Hall, Needs>): (view: CallView) => Promise<Verdict> {
  let opened: Promise<(view: CallView) => Promise<Verdict>> | undefined;
  return async (view) => {
    opened ??= load().then((loaded) => judging(hall, loaded));
    return (await opened)(view);
  };
}

function judging(hall: Pick<Hall, Needs>, loaded: Loaded): (view: CallView) => Promise<Verdict> {
  const { choice, inside, tools, grants, asks, launch, rules: policyRules } = hall;
  const { modes = approvals } = launch;
  const { decide, question, denial, scopesOf, GrantTests } = loaded;
  const { bases } = policyRules;
  const kept = new GrantTests(grants, bases);
  return async ({ intent, tool }) => {
    const caller = { tool: tool.name, source: tools.sourceOf(tool.name) };
    const { rules, files } = await policyRules.calls();
    const homes = {
      home: bases.home,
      roots: bases.roots,
      pithHome: inside.home,
      kept: [...inside.kept, ...inside.scratch],
      scratch: inside.scratch,
    };
    const decided = (mode: Approval): Decision => {
      const sandbox = intent.confined ? "confined" : "open";
      return decide(intent, caller, { mode, sandbox, rules, files, grants: kept, inside }, homes);
    };
    const mode = () => (choice.approval === "plan" && intent.outside ? "ask" : choice.approval);
    let decision = decided(mode());
    if (decision.ruling === "ask") {
      await grants.refresh();
      decision = decided(mode());
    }
    if (decision.ruling === "allow") return { do: "allow", by: allowedBy(decision) };
    const outside = sideOf(intent, inside);
    const about = { tool: tool.name, intent, decision, mode: choice.approval, outside };
    if (decision.ruling === "deny") return { do: "deny", reason: denial(about) };
    const scopes = scopesOf(decision, homes);
    return {
      ...question(about, scopes, (mode) => (asks || !modes.includes(mode) ? decision : decided(mode))),
      keep: (holds) =>
        grants.add(
          (scopes ?? []).map(({ grant }) => grant),
          holds,
        ),
      covered: (signal) =>
        new Promise((resolve) => {
          const look = () => {
            if (decided(mode()).ruling === "allow") resolve();
          };
          grants.watch(look, signal);
        }),
    };
  };
}

/** Names whoever let a call run, the most telling reason first. */
function allowedBy({ ruled }: Decision): string {
  const by = [...new Set(ruled.map((one) => one.by))];
  return by.filter((one) => !one.startsWith("mode ")).join(", ") || (by[0] ?? "it does nothing");
}
