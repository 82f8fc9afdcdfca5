import type { CallView, Outcome, SessionTree, Verdict } from "@pith/agent";
import { fill, plainText, shorten } from "@pith/kit";
import { type Command, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { callAccess } from "../../policy/call-access.ts";
import {
  exfiltration,
  Marks,
  markText,
  type Origin,
  type OriginSources,
  originNote,
  originOf,
} from "../../policy/provenance.ts";
import refused from "./strangers.md" with { type: "text" };

type Needs = "asks" | "scope" | "tree" | "channel" | "inside" | "tools" | "choice" | "sandbox" | "settings";

/**
 * Knows where things came from: untrusted content is marked in its result, and while such a result stands on the
 * path, nothing leaves or stays behind without a yes.
 */
export const provenance: MakePart<Needs> = (hall) => {
  const { tree, inside, tools, sandbox } = hall;
  const marks = new Marks(tree);
  const sources = { inside, sourceOf: (name: string) => tools.sourceOf(name) };
  const origins = new Map<string, Promise<Origin | undefined>>();
  // Nobody may know what a program does; the sandbox knows whom it spoke to.
  let looked = 0;
  const reached = (): Origin | undefined => {
    const hosts = sandbox.reached(looked);
    looked = performance.now();
    return hosts.length > 0 ? { from: "network", what: hosts.join(", ") } : undefined;
  };
  return {
    name: "provenance",
    commands: [why(tree, marks)],
    call: (view) => guard(hall, { view, marks, sources, reached }),
    start(view) {
      if (view.intent.command !== undefined) origins.set(view.call.id, originOf(view, sources));
    },
    async result(view, outcome: Outcome) {
      const said = view.intent.command !== undefined || view.tool.name === "job" ? reached() : undefined;
      const known = await (origins.get(view.call.id) ?? originOf(view, sources));
      // The sandbox knows whom its commands spoke to; nothing came from an address that was not reached.
      const origin = known?.from === "network" && isOnlyProxied(view) ? said : (known ?? said);
      origins.delete(view.call.id);
      return origin ? { ...outcome, meta: { ...outcome.meta, origin } } : outcome;
    },
  };
};

/** True for a command whose whole network is the sandbox's own. */
const isOnlyProxied = ({ intent, input, allowed }: CallView): boolean =>
  intent.confined === true && (input as { needs?: string }).needs === undefined && !allowed?.access?.leaves;

interface Guarded {
  view: CallView;
  marks: Marks;
  sources: OriginSources;
  reached(): Origin | undefined;
}

/** Asks about a call that could give something away while something of strangers stands in the conversation. */
async function guard(hall: Pick<Hall, Needs>, { view, marks, sources, reached }: Guarded): Promise<Verdict> {
  const { choice, channel, sandbox, settings } = hall;
  // Whoever chose that everything runs was asked about this too.
  if (choice.approval === "yolo") return { do: "allow" };
  const since = reached();
  if (since) channel.record(originNote(since));
  const [mark] = marks.upTo().slice(-1);
  const closed = sandbox.on() && !settings.get("sandbox.domains")?.trim() && view.intent.effect !== "net";
  const way = mark && (await exfiltration(view, sources, closed ? "closed" : "open"));
  if (!mark || way === undefined) return { do: "allow" };
  // The answer is about all that the command does: nobody is asked again while it runs.
  const access = await callAccess(hall, view, view.intent.judged?.judgement.parts ?? []);
  if (!access.ok) return { do: "deny", reason: access.message };
  const what = markText(mark);
  return {
    do: "ask",
    text: `${way.replace(/^it /, `${view.tool.name} `)} while untrusted content is in the conversation: ${what}`,
    refusal: fill(refused, { why: way, what: markText({ ...mark, what: shorten(mark.what, 60) }) }).trim(),
    risk: "high",
    access: access.value,
  };
}

/** `/why`: what let the last call run or kept it from running, and what stands here that strangers wrote. */
function why(tree: SessionTree, marks: Marks): Command {
  return {
    name: "why",
    about: "why the last call ran, was asked about or was refused",
    when: "any time",
    run: () => show([lastCall(tree), ...marksHere(marks)].join("\n")),
  };
}

function lastCall(tree: SessionTree): string {
  for (const entry of tree.back()) {
    if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
    const { toolName, toolCallId, details, isError, content } = entry.message;
    const { allowed, intent } = (details ?? {}) as { allowed?: string; intent?: { command?: string } };
    const what = plainText([toolName, intent?.command].filter(Boolean).join(" "));
    const [first] = content;
    const said = isError && first?.type === "text" ? `: ${plainText(first.text).slice(0, 400)}` : "";
    const ran = allowed ? `was allowed by ${allowed}` : isError ? "did not run or failed" : "ran";
    return `${what} (${toolCallId}) ${ran}${said}`;
  }
  return "Nothing was called yet.";
}

function marksHere(marks: Marks): string[] {
  const here = marks.upTo();
  if (here.length === 0) return ["There is no untrusted content here."];
  return [
    "Untrusted content; while it is here, the network, writes outside, new remotes and publishing ask:",
    ...here.map((mark) => `- ${plainText(markText(mark))}`),
  ];
}
