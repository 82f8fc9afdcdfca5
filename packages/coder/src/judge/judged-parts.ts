import { worstRisk } from "@pith/agent";
import { maxScript } from "../bash/reader.ts";
import { type CommandContext, CommandEffects } from "./command-effects.ts";
import type { JudgedPart } from "./judged.ts";
import type { Arg } from "./value/argument.ts";

/** What a part is called, before it is known what it does. */
export interface PartWords {
  text: string;
  program: string | undefined;
  args: readonly Arg[];
}

/** The parts that were found in a text, in their order, and why it was not understood. */
export class JudgedParts {
  readonly list: JudgedPart[] = [];
  problem: string | undefined;

  stop(why: string): undefined {
    this.problem ??= why;
  }

  /** Takes up a part once it is known what it does, and what is done around it; what it runs itself comes behind it. */
  add(
    { text, program, args }: PartWords,
    scene: CommandContext,
    own: (does: CommandEffects) => unknown,
    around?: (does: CommandEffects) => unknown,
  ): undefined {
    if (this.list.length >= maxScript.parts) return this.stop(`it has more than ${maxScript.parts} parts`);
    const place = this.list.length;
    const named = { text, program, args: args.map((arg) => arg.text) };
    const nothing = { effects: [], severity: "none", guard: undefined } as const;
    this.list.push({ ...named, ...nothing, reason: undefined, touches: [], hosts: [], setup: nothing });
    const [frame, does] = [new CommandEffects(scene), new CommandEffects(scene)];
    around?.(frame);
    own(does);
    const graver = worstRisk([does.severity, frame.severity]) !== does.severity;
    this.list[place] = {
      ...named,
      effects: [...new Set([...frame.effects, ...does.effects])],
      severity: worstRisk([does.severity, frame.severity]),
      guard: does.guard ?? frame.guard,
      reason: graver ? (frame.reason ?? does.reason) : (does.reason ?? frame.reason),
      touches: [...frame.touches, ...does.touches],
      hosts: does.hosts,
      setup: { effects: [...frame.effects], severity: frame.severity, guard: frame.guard },
    };
  }
}
