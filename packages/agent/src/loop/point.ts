import { messageOf } from "@pith/kit";
import type { Failure, Request, StreamEvent } from "@pith/llm";
import type { CompactAnswer, CompactView, NavigateAnswer, NavigateView } from "../compact/cause.ts";
import type { TurnEnd } from "../event.ts";
import type { UserInput } from "../session/queue.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { CallView, Go, Handled, Hook, Hooks, Recovery, Settled, Stop, TurnView, Verdict } from "./hook.ts";
import { joinVerdicts } from "./verdict.ts";

/**
 * Calls the hooks of each point in order and combines their answers. Most hooks answer synchronously, so only promises
 * are awaited.
 */
export class Points {
  #list: readonly Hook[] = [];
  /** Hooks by point. */
  readonly #asked = new Map<keyof Hooks, readonly Hook[]>();
  /** Hooks of `delta`, the only hot point: without any it costs nothing. */
  #watches: readonly Hook[] = [];

  constructor(hooks: readonly Hook[] = []) {
    this.add(hooks);
  }

  /** Appends hooks to the list. */
  add(hooks: readonly Hook[]): void {
    this.#list = [...this.#list, ...hooks];
    this.#asked.clear();
    this.#watches = [...this.#watches, ...hooks.filter((hook) => hook.delta)];
  }

  async input(input: UserInput): Promise<UserInput | Handled> {
    let now = input;
    for (const hook of this.#at("input")) {
      const answer = (await hook.input(now)) ?? now;
      if ("handled" in answer) return answer;
      now = answer;
    }
    return now;
  }

  async step(turn: TurnView): Promise<Go | Stop> {
    let go: Go = { do: "go" };
    for (const hook of this.#at("step")) {
      const said = hook.step(turn);
      const answer = (isLater(said) ? await said : said) ?? go;
      if (answer.do === "stop") return answer;
      if (answer.model) go = answer;
    }
    return go;
  }

  async context(request: Request): Promise<Request> {
    let now = request;
    for (const hook of this.#at("context")) {
      const said = hook.context(now);
      now = (isLater(said) ? await said : said) ?? now;
    }
    return now;
  }

  /** Returns a promise only if a hook does. */
  delta(events: readonly StreamEvent[], turn: TurnView, from = 0): ReturnType<Hooks["delta"]> {
    for (let at = from; at < this.#watches.length; at++) {
      const answer = this.#watches[at]?.delta?.(events, turn);
      if (answer instanceof Promise) return answer.then((said) => said ?? this.delta(events, turn, at + 1));
      if (answer) return answer;
    }
    return undefined;
  }

  /** Joined verdict of all guards. One that throws denies. */
  async call(view: CallView): Promise<Verdict> {
    const answers: Verdict[] = [];
    for (const hook of this.#at("call")) {
      const said = judged(hook, view);
      answers.push(isLater(said) ? await said : said);
    }
    return joinVerdicts(answers);
  }

  async start(view: CallView): Promise<void> {
    for (const hook of this.#at("start")) {
      const said = hook.start(view);
      if (isLater(said)) await said;
    }
  }

  async result(view: CallView, outcome: Outcome): Promise<Outcome> {
    let now = outcome;
    for (const hook of this.#at("result")) {
      const said = hook.result(view, now);
      now = (isLater(said) ? await said : said) ?? now;
    }
    return now;
  }

  /** A continuation beyond the limit is skipped, so that the other hooks are still asked. */
  async settle(turn: TurnView, mostGoOns: number): Promise<Settled> {
    let refused: Settled = { do: "done" };
    for (const hook of this.#at("settle")) {
      const answer: Settled = (await hook.settle(turn)) ?? refused;
      if (answer.do === "go on" && !answer.anew && turn.goneOn >= mostGoOns) refused = answer;
      else if (answer.do !== "done") return answer;
    }
    return refused;
  }

  async fail(failure: Failure, turn: TurnView): Promise<Recovery> {
    let told: Recovery = { do: "give up" };
    for (const hook of this.#at("fail")) {
      const answer: Recovery = (await hook.fail(failure, turn)) ?? told;
      if (answer.do !== "give up") return answer;
      if (answer.failure) told = answer;
    }
    return told;
  }

  /** A broken hook must not keep a conversation too long: one that throws is reported and skipped. */
  async compact(view: CompactView, onThrow: OnThrow): Promise<CompactAnswer> {
    const go: CompactAnswer & { do: "go" } = { do: "go" };
    for (const hook of this.#at("compact")) {
      const answer = await passedOver(hook.name, onThrow, async () => {
        const said = await hook.compact(view);
        return (await import("../compact/answer.ts")).checkAnswer(said);
      });
      if (!answer) continue;
      if (answer.do !== "go") return answer;
      if (answer.prompt !== undefined) go.prompt = answer.prompt;
      if (answer.context) go.context = [...(go.context ?? []), ...answer.context];
      if (answer.preserveData) go.preserveData = { ...go.preserveData, ...answer.preserveData };
    }
    return go;
  }

  async navigate(view: NavigateView, onThrow: OnThrow): Promise<NavigateAnswer> {
    for (const hook of this.#at("navigate")) {
      const answer = await passedOver(hook.name, onThrow, async () => hook.navigate(view));
      if (answer && answer.do !== "go") return answer;
    }
    return { do: "go" };
  }

  /** Calls all hooks, also after one has thrown. */
  async idle(end: TurnEnd, turn: TurnView, onThrow: OnThrow): Promise<void> {
    for (const hook of this.#at("idle")) await passedOver(hook.name, onThrow, async () => hook.idle(end, turn));
  }

  #at<P extends keyof Hooks>(point: P): readonly (Hook & Pick<Hooks, P>)[] {
    const known = this.#asked.get(point) ?? this.#list.filter((hook) => hook[point] !== undefined);
    this.#asked.set(point, known);
    return known as readonly (Hook & Pick<Hooks, P>)[];
  }
}

type OnThrow = (name: string, error: unknown) => void;

async function passedOver<T>(name: string, onThrow: OnThrow, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    onThrow(name, error);
    return undefined;
  }
}

function judged(hook: Hook & Pick<Hooks, "call">, view: CallView): Verdict | PromiseLike<Verdict> {
  const failed = (error: unknown): Verdict => ({
    do: "deny",
    reason: `The guard "${hook.name}" failed: ${messageOf(error)}`,
  });
  try {
    const said = hook.call(view);
    return isLater(said) ? said.then((verdict) => verdict, failed) : said;
  } catch (error) {
    return failed(error);
  }
}

const isLater = <T>(said: T | PromiseLike<T>): said is PromiseLike<T> =>
  typeof said === "object" && said !== null && "then" in said;
