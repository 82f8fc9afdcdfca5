import type { CallView, Outcome, RunData } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import closed from "./closed-port.md" with { type: "text" };
import { portGrant, wantedPorts } from "./local-ports.ts";
import open from "./open-port.md" with { type: "text" };

interface Failed {
  view: CallView;
  outcome: Outcome;
  /** Ports that the person did not want to open. */
  refused: Set<number>;
  signal: AbortSignal;
}

/** Tells of ports of this machine that a command did not reach, and asks whether commands may reach them. */
export async function offerPorts(
  { cwd, grants, questions, sandbox }: Pick<Hall, "cwd" | "grants" | "questions" | "sandbox">,
  { view, outcome, refused, signal }: Failed,
): Promise<Outcome | undefined> {
  const { ports: lent = [], leaves } = view.allowed?.access ?? {};
  if (leaves || (view.input as { needs?: string }).needs !== undefined) return undefined;
  const ports = sandbox.missingPorts(wantedPorts(outcome, cwd).filter((port) => !lent.includes(port)));
  if (ports.length === 0) return undefined;
  const list = ports.join(", ");
  const what = `port ${list} of this machine, on which something listens`;
  const asks = ports.some((port) => !refused.has(port));
  const options = [
    { id: "session", label: "Yes, in this session" },
    { id: "project", label: "Yes, in this project from now on" },
    { id: "no", label: "No", about: `sandbox.localhost: [${list}] in your settings allows it everywhere` },
  ];
  const text = `The command did not reach ${what}. May commands in the sandbox reach it?`;
  const about = `port ${view.call.id}`;
  const answer = asks
    ? await questions.ask({ about, form: "choose", text, options, recommended: "session" }, signal)
    : undefined;
  const chosen = answer?.option ?? answer?.choices?.[0];
  const isOpen = answer?.say === "yes" && chosen !== "no";
  if (isOpen) sandbox.letPorts(ports);
  else if (answer) for (const port of ports) refused.add(port);
  if (isOpen && chosen === "project") await grants.add(ports.map(portGrant), "project");
  const note = fill(isOpen ? open : closed, { ports: list }).trim();
  const data = outcome.data as RunData;
  const blocked = isOpen ? data.blocked : [...(data.blocked ?? []), `${what} (sandbox.localhost: [${list}])`];
  return {
    ...outcome,
    data: { ...data, ...(blocked && { blocked }) },
    meta: { ...outcome.meta, notes: [...(outcome.meta?.notes ?? []), note] },
  };
}
