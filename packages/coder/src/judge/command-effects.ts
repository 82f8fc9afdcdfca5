import { posix } from "node:path";
import { type Risk, worstRisk } from "@pith/agent";
import type { CommandEffect } from "./effect.ts";
import { guarded } from "./guarded.ts";
import type { PartTouch } from "./judged.ts";
import { type Directories, isBelow, type JudgedPath, judgedPaths } from "./path-kind.ts";
import type { JudgeState } from "./state.ts";
import { type Arg, exact } from "./value/argument.ts";

/** What stands on the input of a command. */
export type StandardInput =
  /** Text that is known to the letter. */
  | { kind: "text"; text: string }
  /** What other programs say; undefined where one is not known. */
  | { kind: "pipe"; programs: readonly string[]; text?: string | undefined }
  | { kind: "unknown" };

/** What is known while a command is judged, beside the command. */
export interface CommandContext {
  state: JudgeState;
  directories: Directories;
  input: StandardInput | undefined;
  /** Programs that give words of the command their text. */
  feeders: readonly string[];
  /** Files that the same text writes: what they hold when they are run is not known. */
  written: Set<string>;
  /** Links that the same text makes, and where they lead; undefined where that is not known. */
  links: Map<string, string | undefined>;
  /** Whether the same text fetched something before. */
  fetched: boolean;
  /** Judges another program that this one runs. */
  run(words: readonly Arg[], input?: StandardInput): undefined;
  /** Judges a text that a shell is handed. */
  script(text: string): undefined;
  /** Takes note of what a name will stand for. */
  alias(name: string, text: string): undefined;
}

/** Everything one command does, as the tables tell it. */
export class CommandEffects {
  readonly effects = new Set<CommandEffect>();
  readonly touches: PartTouch[] = [];
  readonly hosts: string[] = [];
  severity: Risk = "none";
  /** What has it asked about in every mode. */
  guard: string | undefined;
  #why: string | undefined;
  #hidden: string | undefined;
  readonly #scene: CommandContext;

  constructor(scene: CommandContext) {
    this.#scene = scene;
  }

  get scene(): CommandContext {
    return this.#scene;
  }

  /** What it does without naming a file is done where it stands. */
  effect(effect: CommandEffect): undefined {
    if (effect === "write inside") this.write(exact("."));
    else this.effects.add(effect);
  }

  level(severity: Risk, why: string): undefined {
    const most = worstRisk([this.severity, severity]);
    if (most !== this.severity) this.#why = why;
    this.severity = most;
  }

  opaque(why: string): undefined {
    this.effects.add("opaque");
    this.#hidden ??= why;
  }

  /** What somebody who is asked has to know first. */
  get reason(): string | undefined {
    const grave = this.severity === "high" || this.severity === "critical";
    return grave ? this.#why : (this.#hidden ?? this.#why);
  }

  paths(arg: Arg): readonly JudgedPath[] {
    const { directories, state, links } = this.#scene;
    const spots = judgedPaths(arg, directories, state);
    return links.size === 0 ? spots : spots.flatMap((spot) => this.#followed(spot));
  }

  /** Where a path leads when a part of it is a link that this text makes. */
  #followed(spot: JudgedPath): readonly JudgedPath[] {
    for (const [link, target] of this.#scene.links) {
      if (spot.path !== link && !spot.path.startsWith(`${link}/`)) continue;
      if (target === undefined) return [{ ...spot, kind: "unknown" }];
      return [spot, ...judgedPaths(exact(`${target}${spot.path.slice(link.length)}`), [], this.#scene.state)];
    }
    return [spot];
  }

  read(arg: Arg, all?: "all below"): undefined {
    for (const spot of this.paths(arg)) {
      if (spot.kind === "network") this.#network(spot);
      else if (spot.kind !== "stream") {
        this.effects.add(this.#isOpen(spot) ? "read inside" : "read outside");
        this.touches.push({ effect: "read", path: spot.path, named: this.#named(arg), ...(all && { all: true }) });
      }
      this.#guards(spot, "read");
    }
  }

  /** Tells rules of a file whose content may be told, though that comes from elsewhere: a history, an archive. */
  mention(arg: Arg): undefined {
    for (const { kind, path } of this.paths(arg))
      if (kind !== "network" && kind !== "stream")
        this.touches.push({ effect: "read", path, named: this.#named(arg), kept: true });
  }

  #isOpen({ kind, path }: JudgedPath): boolean {
    const kept = kind === "outside" || kind === "temporary";
    return kind === "inside" || (kept && this.#scene.state.kept.some((folder) => isBelow(folder, path)));
  }

  /** The path as it was written, where only one place is meant. */
  #named({ text }: Arg): string | undefined {
    const [at, ...more] = this.#scene.directories ?? [];
    if (text === undefined || text.startsWith("/")) return text;
    return at === undefined || more.length > 0 ? undefined : posix.resolve(at, text);
  }

  /** What may be the name of a file: it counts where that is not inside. */
  readIfOutside(arg: Arg): undefined {
    if (
      this.paths(arg).some((spot) => spot.kind !== "inside" || guarded(spot, "read", this.#scene.state) !== undefined)
    )
      this.read(arg);
  }

  /** What lies below is looked through: a rule or a store of keys down there counts. */
  below(arg: Arg): undefined {
    this.#all(arg);
    this.#aboveHome(arg);
  }

  /** The same of what a history or an archive keeps of it: only rules count. */
  keptBelow(arg: Arg, only: (() => readonly string[]) | undefined): undefined {
    this.#all(arg, { kept: true, ...(only && { only }) });
  }

  #all(arg: Arg, more?: Pick<PartTouch, "kept" | "only">): undefined {
    for (const { path, kind } of this.paths(arg))
      if (kind === "inside" || kind === "outside")
        this.touches.push({ effect: "read", path, named: this.#named(arg), all: true, ...more });
  }

  /** All that lies below is read too. */
  readAll(arg: Arg): undefined {
    this.read(arg, "all below");
    this.#aboveHome(arg);
  }

  #aboveHome(arg: Arg): undefined {
    const { home } = this.#scene.state;
    const above = this.paths(arg).find(({ path }) => isBelow(path, home));
    if (!above) return;
    this.guard ??= `what lies below ${above.path} may hold keys`;
    this.level("high", this.guard);
  }

  write(arg: Arg): undefined {
    for (const spot of this.paths(arg)) {
      const { kind, path } = spot;
      if (kind === "stream") continue;
      if (kind === "network") {
        this.#network(spot);
        continue;
      }
      this.effects.add(kind === "inside" || kind === "temporary" ? "write inside" : "write outside");
      this.touches.push({ effect: "write", path, named: this.#named(arg) });
      if (kind === "device") this.level("critical", `it writes to the device ${path}`);
      else if (kind === "unknown") this.opaque(`it writes to a file whose name is known when it runs: ${path}`);
      this.#guards(spot, "write");
      if (kind === "outside") this.level("high", `it writes outside of the project: ${path}`);
      this.#scene.written.add(path);
    }
  }

  run(words: readonly Arg[], input?: StandardInput): undefined {
    if (words.length === 0) return;
    this.#scene.run(words, input);
  }

  /** A text that a shell runs; one that is not known is not looked into. */
  script({ text }: Arg, what: string): undefined {
    if (text === undefined) this.opaque(`${what} is known when it runs`);
    else this.#scene.script(text);
  }

  #guards(spot: JudgedPath, effect: "read" | "write"): undefined {
    const why = guarded(spot, effect, this.#scene.state);
    if (why === undefined) return;
    this.guard ??= why;
    this.level("high", why);
  }

  #network({ path }: JudgedPath): undefined {
    this.effects.add("net");
    this.level("high", `it opens a connection: ${path}`);
  }
}
