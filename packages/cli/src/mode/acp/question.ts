import {
  type ElicitationPropertySchema,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { Answer, Option, Question } from "@pith/agent";
import { askRows } from "../../view/question/ask.ts";
import { type AcpClient, until } from "./client.ts";
import { callFields, diffs } from "./tool.ts";

interface Asking extends AcpClient {
  session: string;
  cwd: string;
  signal: AbortSignal;
}

/** An option of a permission, and the answer that it means. */
type Choice = PermissionOption & { answer: Answer };

const nobody: Answer = { say: "no", by: "nobody" };

/** Asks the person at the editor; a question that the client has no form for is answered by nobody. */
export async function answerTo(question: Question, asking: Asking): Promise<Answer> {
  try {
    if (question.form !== "approval" && asking.capabilities.elicitation?.form) return await elicited(question, asking);
    if (question.form === "choose" && question.multi) return await several(question, asking);
    return await permitted(question, choicesFor(question), asking);
  } catch {
    // A client that cannot answer, or has left: fails closed.
    return nobody;
  }
}

async function permitted(question: Question, choices: readonly Choice[], asking: Asking): Promise<Answer> {
  if (choices.length === 0) return nobody;
  const { context, session, signal } = asking;
  const request: RequestPermissionRequest = {
    sessionId: session,
    toolCall: await shownCall(question, asking),
    options: choices.map(({ answer: _, ...option }) => option),
  };
  const { outcome } = await context.request(methods.client.session.requestPermission, request, until(signal));
  if (outcome.outcome === "cancelled") return { say: "no", by: "interrupt", words: "cancelled" };
  return choices.find(({ optionId }) => optionId === outcome.optionId)?.answer ?? nobody;
}

/**
 * A permission gives one option of several, so it is asked for again until the person is done. Done stands first: a
 * client that takes the first option by itself comes to an end.
 */
async function several(question: Question, asking: Asking): Promise<Answer> {
  const options = (question.options ?? []).filter(({ id }) => id !== "other");
  let chosen: readonly string[] = [];
  for (let round = 0; round < maxRounds * options.length; round++) {
    const names = options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    const so = names.length === 0 ? "Choose several one by one." : `Chosen so far: ${names.join(", ")}.`;
    const answer = await permitted({ ...question, text: `${question.text} ${so}` }, changes(options, chosen), asking);
    const { option } = answer;
    if (option === undefined) return answer;
    chosen = chosen.includes(option) ? chosen.filter((id) => id !== option) : [...chosen, option];
  }
  return nobody;
}

/** Rounds for each option; with more, nobody chooses any more. */
const maxRounds = 4;

/** The choices beside those that are made already; `option` of an answer is put in or taken out. */
function changes(options: readonly Option[], chosen: readonly string[]): Choice[] {
  const offered = (isIn: boolean) =>
    options
      .filter(({ id }) => chosen.includes(id) === isIn)
      .map(({ id, label }) => once(id, isIn ? `Not: ${label}` : label, { say: "yes", option: id }));
  const choices = options.map(({ id }) => id).filter((id) => chosen.includes(id));
  const done = once("done", "Done", { say: "yes", choices });
  return [...(choices.length > 0 ? [done] : []), ...offered(false), ...offered(true), noAnswer];
}

const once = (optionId: string, name: string, answer: Answer): Choice => ({
  optionId,
  name,
  kind: answer.say === "yes" ? "allow_once" : "reject_once",
  answer,
});

const noAnswer = once("no answer", "No answer", { say: "no" });

function choicesFor({ form, scope, options = [] }: Question): Choice[] {
  if (form === "line" || form === "text") return [];
  if (form === "choose") {
    const offered = options.filter(({ id }) => id !== "other");
    return [...offered.map(({ id, label }) => once(id, label, { say: "yes", choices: [id] })), noAnswer];
  }
  const longer = (["session", "project"] as const).map((holds): Choice => {
    const name = `Yes, in this ${holds} always: ${scope}`;
    return { optionId: holds, name, kind: "allow_always", answer: { say: "yes", holds } };
  });
  const yes = once("yes", "Yes", { say: "yes" });
  return [yes, ...(scope === undefined ? [] : longer), once("no", "No", { say: "no" })];
}

/** Shows exactly what is asked about: the command or the changes whole, why, and where. */
async function shownCall(question: Question, { cwd }: Asking): Promise<RequestPermissionRequest["toolCall"]> {
  const { call, intent, text, id } = question;
  const rows = [text, ...askRows(question)].join("\n");
  const content = { type: "content" as const, content: { type: "text" as const, text: rows } };
  if (!call) return { toolCallId: id, title: text, kind: "other", status: "pending", content: [content] };
  const files = (await intent?.changes?.()) ?? [];
  return { ...callFields(call, cwd, intent), status: "pending", content: [...diffs(files, cwd), content] };
}

/** Asks by a form of one field. */
async function elicited(question: Question, { context, session, signal }: Asking): Promise<Answer> {
  const { text, body, call } = question;
  const response = await context.request(
    methods.client.elicitation.create,
    {
      mode: "form",
      sessionId: session,
      ...(call && { toolCallId: call.id }),
      message: body === undefined ? text : `${text}\n\n${body}`,
      requestedSchema: { type: "object", properties: { answer: fieldOf(question) }, required: ["answer"] },
    },
    until(signal),
  );
  if (response.action !== "accept") return { say: "no" };
  const { answer } = (response.content ?? {}) as { answer?: unknown };
  return answerOf(question, answer);
}

function fieldOf({ form, options = [], multi, recommended }: Question): ElicitationPropertySchema {
  if (form === "confirm") return { type: "boolean", title: "Yes" };
  if (form !== "choose") return { type: "string", title: "Answer" };
  const offered = options.map(({ id, label, about }) => ({ const: id, title: label, description: about }));
  return multi
    ? { type: "array", title: "Answer", items: { anyOf: offered } }
    : { type: "string", title: "Answer", oneOf: offered, default: recommended };
}

function answerOf({ form, options = [] }: Question, answer: unknown): Answer {
  if (form === "confirm") return { say: answer === true ? "yes" : "no" };
  const texts = Array.isArray(answer) ? answer.map(String) : typeof answer === "string" ? [answer] : [];
  if (texts.length === 0) return { say: "no" };
  if (form !== "choose") return { say: "yes", words: texts.join("\n") };
  const ids = texts.filter((text) => options.some(({ id }) => id === text));
  return ids.length > 0 ? { say: "yes", choices: ids } : { say: "yes", words: texts.join(", ") };
}
