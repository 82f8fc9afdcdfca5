import { messageOf } from "@pith/kit";
import type { Failure, Request, StreamEvent } from "@pith/llm";
import type { TurnEnd } from "../event.ts";
import type { Input } from "../session/inbox.ts";
import type { Outcome } from "../tool/outcome.ts";
import type {
  CallView,
  Done,
  Go,
  GoOn,
  Handled,
  Hook,
  Hooks,
  Interrupt,
  Recovery,
  Stop,
  TurnView,
  Verdict,
} from "./hook.ts";
import { joined } from "./verdict.ts";

/** Asks all hooks at each point, in the order in which they came, and combines their answers. */
export class Points {
  #list: readonly Hook[] = [];
  /** `delta` is the only point on the hot path: without a watcher one costs nothing. */
  #watches: readonly Hook[] = [];

  constructor(hooks: readonly Hook[] = []) {
    this.add(hooks);
  }

  /** Hooks that come later stand behind those that are there. */
  add(hooks: readonly Hook[]): void {
    this.#list = [...this.#list, ...hooks];
    this.#watches = this.#list.filter((hook) => hook.delta);
  }

  async input(input: Input): Promise<Input | Handled> {
    let now = input;
    for (const hook of this.#at("input")) {
      const answer = await hook.input(now);
      if ("handled" in answer) return answer;
      now = answer;
    }
    return now;
  }

  async step(turn: TurnView): Promise<Go | Stop> {
    for (const hook of this.#at("step")) {
      const answer = await hook.step(turn);
      if (answer.do === "stop") return answer;
    }
    return { do: "go" };
  }

  async context(request: Request): Promise<Request> {
    let now = request;
    for (const hook of this.#at("context")) now = await hook.context(now);
    return now;
  }

  delta(events: readonly StreamEvent[], turn: TurnView): Interrupt | undefined {
    for (const hook of this.#watches) {
      const answer = hook.delta?.(events, turn);
      if (answer) return answer;
    }
    return undefined;
  }

  /** What all guards say together. One that throws has denied. */
  async call(view: CallView): Promise<Verdict> {
    const answers: Verdict[] = [];
    for (const hook of this.#at("call")) answers.push(await judged(hook, view));
    return joined(answers);
  }

  async start(view: CallView): Promise<void> {
    for (const hook of this.#at("start")) await hook.start(view);
  }

  async result(view: CallView, outcome: Outcome): Promise<Outcome> {
    let now = outcome;
    for (const hook of this.#at("result")) now = await hook.result(view, now);
    return now;
  }

  async settle(turn: TurnView): Promise<Done | GoOn> {
    for (const hook of this.#at("settle")) {
      const answer = await hook.settle(turn);
      if (answer.do === "go on") return answer;
    }
    return { do: "done" };
  }

  async fail(failure: Failure, turn: TurnView): Promise<Recovery> {
    for (const hook of this.#at("fail")) {
      const answer = await hook.fail(failure, turn);
      if (answer.do !== "give up") return answer;
    }
    return { do: "give up" };
  }

  /** The turn is over whatever they do: one that throws keeps nobody from hearing of it. */
  async idle(end: TurnEnd, turn: TurnView, onThrow: (name: string, error: unknown) => void): Promise<void> {
    for (const hook of this.#at("idle")) {
      try {
        await hook.idle(end, turn);
      } catch (error) {
        onThrow(hook.name, error);
      }
    }
  }

  #at<P extends keyof Hooks>(point: P): (Hook & Pick<Hooks, P>)[] {
    return this.#list.filter((hook): hook is Hook & Pick<Hooks, P> => hook[point] !== undefined);
  }
}

async function judged(hook: Hook & Pick<Hooks, "call">, view: CallView): Promise<Verdict> {
  try {
    return await hook.call(view);
  } catch (error) {
    return { do: "deny", reason: `The guard "${hook.name}" failed: ${messageOf(error)}` };
  }
}
