import { perTurn, type Settled } from "@pith/agent";
import type { MakePart } from "../../../hall/part.ts";

type Needs = "call" | "channel" | "cwd" | "header" | "settings" | "tools" | "tree";

/** Surrounds the work of an orchestrator: a new branch before it, a review behind it. */
export const orchestrate: MakePart<Needs> = (hall) => {
  const { call, channel, settings, tools, tree } = hall;
  const written = perTurn(() => ({ files: new Set<string>(), reviewed: false }));
  let branched = tree.last("assistant") !== undefined;
  let current = written({ id: "" });
  const branch = async (signal: AbortSignal) => {
    branched = true;
    const command = `git switch -c pith/${hall.header.id.slice(-8)}`;
    // Judged like any call, because hooks of the repository may run.
    const outcome = await call("bash", { command }, signal, (event) => {
      if (event.type === "question" || event.type === "answered") channel.announce(event);
    });
    const text = outcome.failed ? `No branch was made: ${outcome.text}` : `The work goes on in ${command.slice(14)}.`;
    channel.notify({ level: outcome.failed ? "warn" : "info", text });
  };
  return {
    name: "orchestrate",
    async step(turn) {
      current = written(turn);
      if (!branched && settings.get("orchestrator.branch")) await branch(turn.signal);
      return { do: "go" };
    },
    result({ intent }, outcome) {
      if (!outcome.failed) for (const { effect, real } of intent.paths) if (effect === "write") current.files.add(real);
      return outcome;
    },
    async settle(turn): Promise<Settled> {
      const state = written(turn);
      const due = state.files.size > 0 && !state.reviewed && settings.get("orchestrator.review");
      if (!due || turn.signal.aborted || !tools.get("run_subagent")) return { do: "done" };
      state.reviewed = true;
      return (await import("./review.ts")).review(hall, [...state.files], turn.signal);
    },
  };
};
