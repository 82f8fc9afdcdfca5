import { type Channel, perTurn, textOf } from "@pith/agent";
import { fail, fill, isRecord, messageOf, ok, type Result } from "@pith/kit";
import Ajv from "ajv/dist/2020.js";
import type { MadePart, MakePart } from "../../hall/part.ts";
import again from "./again.md" with { type: "text" };
import instruction from "./instruction.md" with { type: "text" };

const mostAnswers = 3;
const mostErrors = 20;

/**
 * Asks for a last answer in JSON that fits a schema; one that does not fit is sent back with its errors, a few times.
 * Put the part behind all others, which may ask the model to go on.
 */
export function outputSchema(wanted: unknown): Result<MakePart<"channel">, "schema"> {
  const check = schemaCheck(wanted);
  return check.ok ? ok(({ channel }) => makePart(JSON.stringify(wanted), check.value, channel)) : check;
}

function makePart(schema: string, check: (text: string) => readonly string[], channel: Channel): MadePart<never> {
  const asked = perTurn(() => ({ answers: 0 }));
  const record = (data: unknown) => void channel.record({ type: "custom", customType: "pith.output", data });
  return {
    name: "output schema",
    // The instruction is part of the message, so that the system prompt stays the same.
    input: (input) => ({ ...input, text: `${input.text}\n\n${fill(instruction, { schema }).trim()}` }),
    settle(turn) {
      const text = plain(textOf(turn.reply?.content ?? []));
      const errors = check(text);
      const state = asked(turn);
      state.answers++;
      record(errors.length === 0 ? { text } : { errors });
      if (errors.length === 0 || state.answers >= mostAnswers) return { do: "done" };
      return { do: "go on", note: fill(again, { errors: errors.map((error) => `- ${error}`).join("\n") }).trim() };
    },
  };
}

/** The text without a code fence around it. */
function plain(text: string): string {
  const [, inside] = /^```(?:json)?\n([\s\S]*?)\n?```$/.exec(text.trim()) ?? [];
  return (inside ?? text).trim();
}

/** Makes a check of texts against a JSON schema of draft 2020-12; references to other documents are not followed. */
function schemaCheck(schema: unknown): Result<(text: string) => readonly string[], "schema"> {
  if (!isRecord(schema)) return fail("schema", "a schema is a JSON object");
  try {
    const check = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
    return ok((text) => {
      try {
        if (check(JSON.parse(text))) return [];
      } catch (error) {
        return [`It is not JSON: ${messageOf(error)}`];
      }
      const errors = (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
      return errors.slice(0, mostErrors);
    });
  } catch (error) {
    return fail("schema", messageOf(error));
  }
}
