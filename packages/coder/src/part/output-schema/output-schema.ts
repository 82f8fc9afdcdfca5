import { type Channel, perTurn, textOf } from "@pith/agent";
import { fill, ok, type Result } from "@pith/kit";
import type { MadePart, MakePart } from "../../hall/part.ts";
import again from "./again.md" with { type: "text" };
import { faultsBy } from "./check.ts";
import instruction from "./instruction.md" with { type: "text" };

/** Answers that are asked for. */
const tries = 3;

/**
 * The last answer is JSON that fits a schema; one that does not is sent back with what is wrong, a few times. It goes
 * behind all other parts: an answer that is sent back for another reason is not the last.
 */
export function outputSchema(wanted: unknown): Result<MakePart<"channel">, "schema"> {
  const faults = faultsBy(wanted);
  return faults.ok ? ok(({ channel }) => holding(JSON.stringify(wanted), faults.value, channel)) : faults;
}

function holding(schema: string, faults: (text: string) => readonly string[], channel: Channel): MadePart<never> {
  const asked = perTurn(() => ({ answers: 0 }));
  const record = (data: unknown) => void channel.record({ type: "custom", customType: "pith.output", data });
  return {
    name: "output schema",
    hooks: [
      {
        name: "output schema",
        // In the message: what stands before a conversation is the same for everybody.
        input: (input) => ({ ...input, text: `${input.text}\n\n${fill(instruction, { schema }).trim()}` }),
        settle(turn) {
          const text = plain(textOf(turn.reply?.content ?? []));
          const errors = faults(text);
          const state = asked(turn);
          state.answers++;
          record(errors.length === 0 ? { text } : { errors });
          if (errors.length === 0 || state.answers >= tries) return { do: "done" };
          return { do: "go on", note: fill(again, { errors: errors.map((error) => `- ${error}`).join("\n") }).trim() };
        },
      },
    ],
  };
}

/** Some cannot do without a fence. */
function plain(text: string): string {
  const [, inside] = /^```(?:json)?\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  return (inside ?? text).trim();
}
