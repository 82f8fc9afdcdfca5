import { schema as s } from "@pith/agent";
import { fail, ok } from "@pith/kit";
import { definition, result } from "../host-tools.ts";
import { list, text, truth } from "../schema.ts";
import { command } from "./row.ts";

const closed = (id: string) => fail("closed", `No call is open under the id ${JSON.stringify(id.slice(0, 100))}.`);

/** Answers to what pith asks: questions, and calls of the client's own tools. */
export const answering = {
  answer: command(
    "answer a question: `yes`, `no` or an option by its id (or several), words where it asks for some",
    {
      question: text,
      option: s.union([text, list(text)]).optional(),
      words: text.optional(),
      holds: s.oneOf(["once", "session", "project"]).optional(),
    },
    {
      ours: true,
      order: "now",
      run: ({ question, ...said }, station) => station.answer(question, said),
    },
  ),
  extension_ui_response: command(
    "answer the same question as a dialog of pi",
    { id: text, value: text.optional(), confirmed: truth.optional(), cancelled: truth.optional() },
    {
      answers: true,
      order: "now",
      run({ id, value, confirmed, cancelled }, station) {
        if (cancelled) return station.answer(id, { cancelled: true });
        if (confirmed !== undefined) return station.answer(id, { confirmed });
        if (value !== undefined) return station.answer(id, { value });
        return fail("command", "An answer has a value, confirmed or cancelled.");
      },
    },
  ),
  set_host_tools: command(
    "tools that the client runs; before the first prompt",
    { tools: list(definition) },
    {
      ours: true,
      order: "input",
      gives: s.object({ toolNames: list(text) }),
      run({ tools: wanted }, { tools, coder }) {
        const set = tools.set(wanted, coder);
        return set.ok ? ok({ toolNames: set.value }) : set;
      },
    },
  ),
  host_tool_update: command(
    "what a tool of the client has so far",
    { id: text, partialResult: result },
    {
      ours: true,
      answers: true,
      order: "now",
      run: ({ id, partialResult }, { tools }) =>
        tools.update(id, partialResult) === "taken" ? ok(undefined) : closed(id),
    },
  ),
  host_tool_result: command(
    "what a tool of the client gave back",
    { id: text, result, isError: truth.optional() },
    {
      ours: true,
      answers: true,
      order: "now",
      run: ({ id, result, isError = false }, { tools }) =>
        tools.finish(id, result, isError) === "taken" ? ok(undefined) : closed(id),
    },
  ),
};
