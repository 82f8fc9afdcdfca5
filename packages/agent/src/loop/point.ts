import { messageOf } from "@pith/kit";
import type { Failure, Request, StreamEvent } from "@pith/llm";
import type { Input } from "../session/inbox.ts";
import type { Outcome } from "../tool/tool.ts";
import type {
  Behaviour,
  CallView,
  Done,
  Go,
  GoOn,
  Handled,
  Interrupt,
  Recovery,
  Stop,
  TurnView,
  Verdict,
} from "./hook.ts";

/** Asks all behaviours at each point, in the order of the list, and combines their answers. */
export class Points {
  readonly #list: readonly Behaviour[];
  readonly #watches: readonly Behaviour[];

  constructor(list: readonly Behaviour[]) {
    this.#list = list;
    // The only point on the hot path: without a watcher a delta costs nothing.
    this.#watches = list.filter((own) => own.delta);
  }

  async input(input: Input): Promise<Input | Handled> {
    let now = input;
    for (const own of this.#list) {
      const answer = (await own.input?.(now)) ?? now;
      if ("handled" in answer) return answer;
      now = answer;
    }
    return now;
  }

  step(turn: TurnView): Go | Stop {
    for (const own of this.#list) {
      const answer = own.step?.(turn);
      if (answer?.do === "stop") return answer;
    }
    return { do: "go" };
  }

  async context(request: Request): Promise<Request> {
    let now = request;
    for (const own of this.#list) if (own.context) now = await own.context(now);
    return now;
  }

  delta(events: readonly StreamEvent[], turn: TurnView): Interrupt | undefined {
    for (const own of this.#watches) {
      const answer = own.delta?.(events, turn);
      if (answer) return answer;
    }
    return undefined;
  }

  /** Deny beats ask beats replace beats allow. A guard that throws has denied. */
  async call(view: CallView): Promise<Verdict> {
    let worst: Verdict = { do: "allow" };
    for (const own of this.#list) {
      if (!own.call) continue;
      const answer = await judged(own, view);
      if (rank[answer.do] > rank[worst.do]) worst = answer;
    }
    return worst;
  }

  async start(view: CallView): Promise<void> {
    for (const own of this.#list) if (own.start) await own.start(view);
  }

  async result(view: CallView, outcome: Outcome): Promise<Outcome> {
    let now = outcome;
    for (const own of this.#list) if (own.result) now = await own.result(view, now);
    return now;
  }

  async settle(turn: TurnView): Promise<Done | GoOn> {
    for (const own of this.#list) {
      const answer = await own.settle?.(turn);
      if (answer?.do === "go on") return answer;
    }
    return { do: "done" };
  }

  async fail(failure: Failure, turn: TurnView): Promise<Recovery> {
    for (const own of this.#list) {
      const answer = await own.fail?.(failure, turn);
      if (answer && answer.do !== "give up") return answer;
    }
    return { do: "give up" };
  }
}

const rank: Record<Verdict["do"], number> = { allow: 0, replace: 1, ask: 2, deny: 3 };

async function judged(own: Behaviour, view: CallView): Promise<Verdict> {
  try {
    return (await own.call?.(view)) ?? { do: "allow" };
  } catch (error) {
    return { do: "deny", reason: `The guard "${own.name}" failed: ${messageOf(error)}` };
  }
}
