import { type CallView, type Hook, type Outcome, perTurn, type Stop, type TurnView } from "@pith/agent";
import { fill, hasher, readPlain } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import type { MakePart } from "../../hall/part.ts";
import { type Circle, CircleDetector } from "./circle.ts";
import { type Ledger, Ledgers } from "./ledger.ts";
import noteProse from "./note.md" with { type: "text" };

/** Notes to the model before the turn ends, with `loop.mode: note`. */
const mostNotes = 3;

const maxBytes = 400_000;

/** A hash of a file. */
function stateOf(path: string): string {
  const read = readPlain(path, { maxBytes });
  return read.ok ? hasher("sha256").update(read.value).digest("hex") : read.kind;
}

declare module "../../hall/hall.ts" {
  interface Hall {
    /** The calls of each turn and their results. */
    ledgers: Ledgers;
  }
}

type Needs = "channel" | "questions" | "settings" | "tree";

/** Tells a model that goes in circles; if it goes on, a person decides, and without one the turn ends. */
export const loop: MakePart<Needs, "ledgers"> = (hall) => {
  const ledgers = new Ledgers(hall.tree);
  return { name: "loop", hooks: [new LoopHook(hall, ledgers)], owns: { ledgers } };
};

class LoopHook implements Hook {
  readonly name = "loop";
  readonly #hall: Pick<Hall, Needs>;
  readonly #ledgers: Ledgers;
  readonly #turn = perTurn(() => ({
    told: 0,
    circles: undefined as { of: Ledger; detector: CircleDetector } | undefined,
  }));
  /** States of files after the calls that wrote them. */
  readonly #states = new Map<string, [path: string, state: string][]>();
  /** True once a call has failed; from then on commands are checked for being read-only. */
  #failed = false;
  /** Beginnings of outputs; a command that repeats one is checked for being read-only. */
  readonly #outputs = new Set<string>();

  constructor(hall: Pick<Hall, Needs>, ledgers: Ledgers) {
    this.#hall = hall;
    this.#ledgers = ledgers;
  }

  async result({ call, intent }: CallView, outcome: Outcome): Promise<void> {
    if (outcome.failed) this.#failed = true;
    else if (intent.effect === "exec" && intent.judged && this.#mayLook(outcome.text)) {
      const { onlyReads } = await import("../../policy/grant/command-grants.ts");
      if (onlyReads(intent.judged.judgement)) this.#ledgers.looks(call.id);
    }
    if (intent.effect === "write" && !outcome.failed) {
      const written = intent.paths.filter(({ effect }) => effect === "write");
      const states = written.map(({ real }): [string, string] => [real, stateOf(real)]);
      this.#states.set(call.id, states);
    }
  }

  #mayLook(text: string): boolean {
    const short = `${text.length} ${text.slice(0, 200)}`;
    if (this.#failed || this.#outputs.has(short)) return true;
    this.#outputs.add(short);
    return false;
  }

  async step(turn: TurnView): Promise<Stop | undefined> {
    const mode = this.#hall.settings.get("loop.mode");
    const now = this.#turn(turn);
    const ledger = this.#ledgers.of(turn);
    if (now.circles?.of !== ledger) now.circles = { of: ledger, detector: new CircleDetector(ledger) };
    if (ledger.last.some(({ failed }) => failed)) this.#failed = true;
    const circle = now.circles.detector.look((row) => this.#states.get(row.call.id) ?? []);
    this.#states.clear();
    if (!circle || mode === "off") return undefined;
    now.told++;
    const message = `The model goes in circles: ${circle.what}.`;
    if (now.told === 1 || (mode === "note" && now.told <= mostNotes)) return this.#tell(circle);
    if (mode === "note") return { do: "stop", message };
    return this.#ask(circle, message, turn);
  }

  #tell({ what, tried }: Circle): undefined {
    this.#note(fill(noteProse, { what, tried: tried.join("\n") }).trim());
  }

  async #ask(circle: Circle, message: string, { signal }: TurnView): Promise<Stop | undefined> {
    const text = `${message} It was told so and went on. Shall it go on?`;
    const body = circle.tried.join("\n");
    const answer = await this.#hall.questions.ask({ about: "loop", form: "confirm", text, body }, signal);
    if (answer?.say !== "yes") return { do: "stop", message: `${message} The turn was ended.` };
    if (answer.words) this.#note(answer.words);
    return undefined;
  }

  #note(content: string): void {
    this.#hall.channel.record({ type: "custom_message", customType: "pith.note", content, display: true });
  }
}
