import { worstRisk } from "@pith/agent";
import { most } from "../bash/reader.ts";
import { Deeds, type Scene } from "./command-effects.ts";
import type { JudgedPart } from "./judged.ts";
import type { Arg } from "./value/argument.ts";

/** What a part is called, before it is known what it does. */
export interface Named {
  text: string;
  program: string | undefined;
  args: readonly Arg[];
}

/** The parts that were found in a text, in their order, and why it was not understood. */
export class Ledger {
  readonly found: JudgedPart[] = [];
  problem: string | undefined;

  stop(why: string): undefined {
    this.problem ??= why;
  }

  /** Takes up a part once it is known what it does, and what is done around it; what it runs itself comes behind it. */
  add(
    { text, program, args }: Named,
    scene: Scene,
    own: (does: Deeds) => unknown,
    around?: (does: Deeds) => unknown,
  ): undefined {
    if (this.found.length >= most.parts) return this.stop(`it has more than ${most.parts} parts`);
    const place = this.found.length;
    const named = { text, program, args: args.map((arg) => arg.text) };
    const nothing = { effects: [], severity: "none", guard: undefined } as const;
    this.found.push({ ...named, ...nothing, reason: undefined, touches: [], hosts: [], frame: nothing });
    const [frame, does] = [new Deeds(scene), new Deeds(scene)];
    around?.(frame);
    own(does);
    const graver = worstRisk([does.severity, frame.severity]) !== does.severity;
    this.found[place] = {
      ...named,
      effects: [...new Set([...frame.effects, ...does.effects])],
      severity: worstRisk([does.severity, frame.severity]),
      guard: does.guard ?? frame.guard,
      reason: graver ? (frame.reason ?? does.reason) : (does.reason ?? frame.reason),
      touches: [...frame.touches, ...does.touches],
      hosts: does.hosts,
      frame: { effects: [...frame.effects], severity: frame.severity, guard: frame.guard },
    };
  }
}
