import { schema as s } from "@pith/agent";
import { fail } from "@pith/kit";
import { definition, result } from "../host-tools.ts";
import { fileChange } from "../message.ts";
import { bool, list, text } from "../schema.ts";
import { command } from "./row.ts";

/** Answers to questions, and to calls of the client's own tools. */
export const answerCommands = {
  answer: command({
    about:
      "answer a question: `yes`, `no` or an option by its id (or several; of an edit, hunks to leave out as `path:n`), words where it asks for some",
    takes: {
      question: text,
      option: s.union([text, list(text)]).optional(),
      words: text.optional(),
      holds: s.oneOf(["once", "session", "project"]).optional(),
    },
    ours: true,
    order: "now",
    run: ({ question, ...fields }, host) => host.answer(question, fields),
  }),
  extension_ui_response: command({
    about: "answer the same question as a dialog of pi",
    takes: { id: text, value: text.optional(), confirmed: bool.optional(), cancelled: bool.optional() },
    answers: true,
    order: "now",
    run({ id, value, confirmed, cancelled }, host) {
      if (cancelled) return host.answer(id, { cancelled: true });
      if (confirmed !== undefined) return host.answer(id, { confirmed });
      if (value !== undefined) return host.answer(id, { value });
      return fail("command", "An answer has a value, confirmed or cancelled.");
    },
  }),
  get_changes: command({
    about: "what the call behind an open question would change in files",
    takes: { question: text },
    gives: s.object({ files: list(fileChange) }),
    ours: true,
    order: "now",
    async run({ question }, { coder }) {
      const asked = coder.scene.questions.find(({ id }) => id === question);
      if (!asked) return fail("command", `There is no open question ${JSON.stringify(question)}.`);
      return { files: [...((await asked.intent?.changes?.()) ?? [])] };
    },
  }),
  set_host_tools: command({
    about: "tools that the client runs; before the first prompt",
    takes: { tools: list(definition) },
    gives: s.object({ toolNames: list(text) }),
    ours: true,
    order: "input",
    run: ({ tools: wanted }, { tools, coder }) =>
      tools.set(wanted, coder) ?? { toolNames: wanted.map(({ name }) => name) },
  }),
  host_tool_update: command({
    about: "what a tool of the client has so far",
    takes: { id: text, partialResult: result },
    ours: true,
    answers: true,
    order: "now",
    run: ({ id, partialResult }, { tools }) => tools.take(id, partialResult, "progress"),
  }),
  host_tool_result: command({
    about: "what a tool of the client gave back",
    takes: { id: text, result, isError: bool.optional() },
    ours: true,
    answers: true,
    order: "now",
    run: ({ id, result, isError = false }, { tools }) => tools.take(id, result, isError ? "failure" : "result"),
  }),
};
