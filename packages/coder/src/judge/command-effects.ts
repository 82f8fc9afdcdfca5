import { posix } from "node:path";
import { type Risk, worstRisk } from "@pith/agent";
import type { CommandEffect } from "./effect.ts";
import { guarded } from "./guarded.ts";
import type { PartTouch } from "./judged.ts";
import { isBelow, type Spot, type Standing, spotsOf } from "./path-kind.ts";
import type { State } from "./state.ts";
import { type Arg, exact } from "./value/argument.ts";

/** What stands on the input of a command. */
export type Input =
  /** Text that is known to the letter. */
  | { kind: "text"; text: string }
  /** What other programs say; undefined where one is not known. */
  | { kind: "pipe"; programs: readonly string[]; text?: string | undefined }
  | { kind: "unknown" };

/** What is known while a command is judged, beside the command. */
export interface Scene {
  state: State;
  standing: Standing;
  input: Input | undefined;
  /** Programs that give words of the command their text. */
  fed: readonly string[];
  /** Files that the same text writes: what they hold when they are run is not known. */
  written: Set<string>;
  /** Links that the same text makes, and where they lead; undefined where that is not known. */
  links: Map<string, string | undefined>;
  /** Whether the same text fetched something before. */
  fetched: boolean;
  /** Judges another program that this one runs. */
  run(words: readonly Arg[], input?: Input): undefined;
  /** Judges a text that a shell is handed. */
  script(text: string): undefined;
  /** Takes note of what a name will stand for. */
  alias(name: string, text: string): undefined;
}

/** Everything one command does, as the tables tell it. */
export class Deeds {
  readonly effects = new Set<CommandEffect>();
  readonly touches: PartTouch[] = [];
  readonly hosts: string[] = [];
  severity: Risk = "none";
  /** What has it asked about in every mode. */
  guard: string | undefined;
  #why: string | undefined;
  #hidden: string | undefined;
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  get scene(): Scene {
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

  spots(arg: Arg): readonly Spot[] {
    const { standing, state, links } = this.#scene;
    const spots = spotsOf(arg, standing, state);
    return links.size === 0 ? spots : spots.flatMap((spot) => this.#followed(spot));
  }

  /** Where a path leads when a part of it is a link that this text makes. */
  #followed(spot: Spot): readonly Spot[] {
    for (const [link, target] of this.#scene.links) {
      if (spot.path !== link && !spot.path.startsWith(`${link}/`)) continue;
      if (target === undefined) return [{ ...spot, place: "unknown" }];
      return [spot, ...spotsOf(exact(`${target}${spot.path.slice(link.length)}`), [], this.#scene.state)];
    }
    return [spot];
  }

  read(arg: Arg, all?: "all below"): undefined {
    for (const spot of this.spots(arg)) {
      if (spot.place === "network") this.#network(spot);
      else if (spot.place !== "stream") {
        this.effects.add(this.#isOpen(spot) ? "read inside" : "read outside");
        this.touches.push({ effect: "read", path: spot.path, named: this.#named(arg), ...(all && { all: true }) });
      }
      this.#guards(spot, "read");
    }
  }

  /** Tells rules of a file whose content may be told, though that comes from elsewhere: a history, an archive. */
  mention(arg: Arg): undefined {
    for (const { place, path } of this.spots(arg))
      if (place !== "network" && place !== "stream")
        this.touches.push({ effect: "read", path, named: this.#named(arg), kept: true });
  }

  #isOpen({ place, path }: Spot): boolean {
    const kept = place === "outside" || place === "temporary";
    return place === "inside" || (kept && this.#scene.state.kept.some((folder) => isBelow(folder, path)));
  }

  /** The path as it was written, where only one place is meant. */
  #named({ text }: Arg): string | undefined {
    const [at, ...more] = this.#scene.standing ?? [];
    if (text === undefined || text.startsWith("/")) return text;
    return at === undefined || more.length > 0 ? undefined : posix.resolve(at, text);
  }

  /** What may be the name of a file: it counts where that is not inside. */
  stray(arg: Arg): undefined {
    if (
      this.spots(arg).some((spot) => spot.place !== "inside" || guarded(spot, "read", this.#scene.state) !== undefined)
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
    for (const { path, place } of this.spots(arg))
      if (place === "inside" || place === "outside")
        this.touches.push({ effect: "read", path, named: this.#named(arg), all: true, ...more });
  }

  /** All that lies below is read too. */
  readAll(arg: Arg): undefined {
    this.read(arg, "all below");
    this.#aboveHome(arg);
  }

  #aboveHome(arg: Arg): undefined {
    const { home } = this.#scene.state;
    const above = this.spots(arg).find(({ path }) => isBelow(path, home));
    if (!above) return;
    this.guard ??= `what lies below ${above.path} may hold keys`;
    this.level("high", this.guard);
  }

  write(arg: Arg): undefined {
    for (const spot of this.spots(arg)) {
      const { place, path } = spot;
      if (place === "stream") continue;
      if (place === "network") {
        this.#network(spot);
        continue;
      }
      this.effects.add(place === "inside" || place === "temporary" ? "write inside" : "write outside");
      this.touches.push({ effect: "write", path, named: this.#named(arg) });
      if (place === "device") this.level("critical", `it writes to the device ${path}`);
      else if (place === "unknown") this.opaque(`it writes to a file whose name is known when it runs: ${path}`);
      this.#guards(spot, "write");
      if (place === "outside") this.level("high", `it writes outside of the project: ${path}`);
      this.#scene.written.add(path);
    }
  }

  run(words: readonly Arg[], input?: Input): undefined {
    if (words.length === 0) return;
    this.#scene.run(words, input);
  }

  /** A text that a shell runs; one that is not known is not looked into. */
  script({ text }: Arg, what: string): undefined {
    if (text === undefined) this.opaque(`${what} is known when it runs`);
    else this.#scene.script(text);
  }

  #guards(spot: Spot, effect: "read" | "write"): undefined {
    const why = guarded(spot, effect, this.#scene.state);
    if (why === undefined) return;
    this.guard ??= why;
    this.level("high", why);
  }

  #network({ path }: Spot): undefined {
    this.effects.add("net");
    this.level("high", `it opens a connection: ${path}`);
  }
}
