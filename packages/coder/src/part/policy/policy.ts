import type { CallView, CommandAccess, Hook, Verdict } from "@pith/agent";
import { fill } from "@pith/kit";
import { show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { type Approval, approvals, meanings, sideOf } from "../../policy/approval.ts";
import { callAccess } from "../../policy/call-access.ts";
import type { Decision } from "../../policy/decide.ts";
import changedNote from "./changed.md" with { type: "text" };

type Conversation = "agent" | "asks" | "channel" | "choice" | "grants" | "launch";
type Needs = Conversation | "inside" | "rules" | "sandbox" | "scope" | "settings" | "tools";

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
        about: "show or set what runs without asking",
        usage: `[${approvals.join("|")}]`,
        when: "any time",
        complete: (words) => approvals.filter((mode) => mode.startsWith(words.trim())),
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
  return async (view) => {
    const { intent, tool } = view;
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
    const access = () => accessTo(hall, view, decision);
    if (decision.ruling === "allow")
      return { do: "allow", by: allowedBy(decision), access: await answeredAccess(access) };
    const outside = sideOf(intent, inside);
    const about = { tool: tool.name, intent, decision, mode: choice.approval, outside };
    if (decision.ruling === "deny") return { do: "deny", reason: denial(about) };
    const wants = await access();
    if (!wants.ok) return { do: "deny", reason: wants.message };
    // An answer that lets a command leave the sandbox holds for that command.
    const scopes = wants.value?.leaves ? undefined : scopesOf(decision, homes);
    return {
      ...question(about, scopes, (mode) => (asks || !modes.includes(mode) ? decision : decided(mode))),
      access: wants.value,
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

/** Works out what a yes to what is asked gives a command in the sandbox, or what earlier answers gave it. */
async function accessTo(hall: Pick<Hall, Needs>, view: CallView, { ruled, problem }: Decision) {
  const said = ruled.filter(({ ruling, answered }) => ruling === "ask" || answered);
  const parts = problem === undefined ? said.flatMap(({ item }) => item.part ?? []) : [];
  return callAccess(hall, view, parts);
}

/** An earlier answer was about a command that stays in the sandbox. */
async function answeredAccess(access: () => ReturnType<typeof accessTo>): Promise<CommandAccess | undefined> {
  const wants = await access();
  return wants.ok && wants.value ? { ...wants.value, leaves: undefined } : undefined;
}

/** Names whoever let a call run, the most telling reason first. */
function allowedBy({ ruled }: Decision): string {
  const by = [...new Set(ruled.map((one) => one.by))];
  return by.filter((one) => !one.startsWith("mode ")).join(", ") || (by[0] ?? "it does nothing");
}
