import {
  type ElicitationPropertySchema,
  methods,
  type PermissionOption,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { Answer, Question } from "@pith/agent";
import { askRows } from "../../view/question/ask.ts";
import type { AcpClient } from "./client.ts";
import { callFields, diffs } from "./tool.ts";

interface Asking extends AcpClient {
  session: string;
  cwd: string;
  signal: AbortSignal;
}

const nobody: Answer = { say: "no", by: "nobody" };

/** What the person at the editor says to a question; what it has no form for, nobody answers. */
export async function answerTo(question: Question, asking: Asking): Promise<Answer> {
  try {
    if (question.form !== "approval" && asking.capabilities.elicitation?.form) return await elicited(question, asking);
    if (question.form === "choose" && question.multi) return await several(question, asking);
    return await permitted(question, optionsFor(question), asking);
  } catch {
    // A client that cannot answer, or has left: fails closed.
    return nobody;
  }
}

async function permitted(question: Question, options: readonly Offered[], asking: Asking): Promise<Answer> {
  if (options.length === 0) return nobody;
  const { context, session, signal } = asking;
  const toolCall = await shownCall(question, asking);
  const request: RequestPermissionRequest = {
    sessionId: session,
    toolCall,
    options: options.map(({ answer: _, ...option }) => option),
  };
  const { outcome } = await context.request(methods.client.session.requestPermission, request, {
    cancellationSignal: signal,
    stopWaitingOnCancel: true,
  });
  if (outcome.outcome === "cancelled") return { say: "no", by: "interrupt", words: "cancelled" };
  return options.find(({ optionId }) => optionId === outcome.optionId)?.answer ?? nobody;
}

/**
 * A permission gives one option of several, so it is asked for again until the person is done. Done stands first: a
 * client that takes the first option by itself comes to an end.
 */
async function several(question: Question, asking: Asking): Promise<Answer> {
  const options = (question.options ?? []).filter(({ id }) => id !== "other");
  let chosen: readonly string[] = [];
  for (let round = 0; round < mostRounds * options.length; round++) {
    const names = options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    const so = names.length === 0 ? "Choose several one by one." : `Chosen so far: ${names.join(", ")}.`;
    const answer = await permitted({ ...question, text: `${question.text} ${so}` }, changing(options, chosen), asking);
    if (answer.option === undefined) return answer;
    const { option } = answer;
    chosen = chosen.includes(option) ? chosen.filter((id) => id !== option) : [...chosen, option];
  }
  return nobody;
}

/** More rounds than this for each option are no choice any more. */
const mostRounds = 4;

/** What can be chosen beside what is chosen already; `option` is what is put in or taken out. */
function changing(options: NonNullable<Question["options"]>, chosen: readonly string[]): Offered[] {
  const offered = (isIn: boolean) =>
    options
      .filter(({ id }) => chosen.includes(id) === isIn)
      .map(({ id, label }): Offered => {
        const name = isIn ? `Not: ${label}` : label;
        return { optionId: id, name, kind: "allow_once", answer: { say: "yes", option: id } };
      });
  const choices = options.map(({ id }) => id).filter((id) => chosen.includes(id));
  const done: Offered = { optionId: "done", name: "Done", kind: "allow_once", answer: { say: "yes", choices } };
  return [...(choices.length > 0 ? [done] : []), ...offered(false), ...offered(true), noAnswer];
}

const noAnswer: Offered = { optionId: "no answer", name: "No answer", kind: "reject_once", answer: { say: "no" } };

type Offered = PermissionOption & { answer: Answer };

function optionsFor({ form, scope, options = [] }: Question): Offered[] {
  const no: Offered = { optionId: "no", name: "No", kind: "reject_once", answer: { say: "no" } };
  if (form === "line" || form === "text") return [];
  if (form === "choose") {
    const offered = options
      .filter(({ id }) => id !== "other")
      .map(
        ({ id, label }): Offered => ({
          optionId: id,
          name: label,
          kind: "allow_once",
          answer: { say: "yes", choices: [id] },
        }),
      );
    return [...offered, noAnswer];
  }
  const yes: Offered = { optionId: "yes", name: "Yes", kind: "allow_once", answer: { say: "yes" } };
  if (scope === undefined) return [yes, no];
  const longer = (holds: "session" | "project"): Offered => ({
    optionId: holds,
    name: `Yes, in this ${holds} always: ${scope}`,
    kind: "allow_always",
    answer: { say: "yes", holds },
  });
  return [yes, longer("session"), longer("project"), no];
}

/** Exactly what is asked about: the command or the changes whole, why, and where. */
async function shownCall(question: Question, { cwd }: Asking): Promise<RequestPermissionRequest["toolCall"]> {
  const { call, intent, text, id } = question;
  const said = [text, ...askRows(question, "whole")].join("\n");
  const content = { type: "content" as const, content: { type: "text" as const, text: said } };
  if (!call) return { toolCallId: id, title: text, kind: "other", status: "pending", content: [content] };
  const changes = (await intent?.changes?.()) ?? [];
  return { ...callFields(call, cwd, intent), status: "pending", content: [...diffs(changes, cwd), content] };
}

/** A form of one field. */
async function elicited(question: Question, { context, session, signal }: Asking): Promise<Answer> {
  const { text, body, call } = question;
  const message = body === undefined ? text : `${text}\n\n${body}`;
  const response = await context.request(
    methods.client.elicitation.create,
    {
      mode: "form",
      sessionId: session,
      ...(call ? { toolCallId: call.id } : {}),
      message,
      requestedSchema: { type: "object", properties: { answer: fieldOf(question) }, required: ["answer"] },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  );
  if (response.action !== "accept") return { say: "no" };
  const { answer } = (response.content ?? {}) as { answer?: unknown };
  return answerOf(question, answer);
}

function fieldOf({ form, options = [], multi, recommended }: Question): ElicitationPropertySchema {
  if (form === "confirm") return { type: "boolean", title: "Yes" };
  const offered = options.map(({ id, label, about }) => ({ const: id, title: label, description: about }));
  if (form !== "choose") return { type: "string", title: "Answer" };
  if (multi) return { type: "array", title: "Answer", items: { anyOf: offered } };
  return { type: "string", title: "Answer", oneOf: offered, default: recommended };
}

function answerOf({ form, options = [] }: Question, answer: unknown): Answer {
  if (form === "confirm") return { say: answer === true ? "yes" : "no" };
  const said = Array.isArray(answer) ? answer.map(String) : typeof answer === "string" ? [answer] : [];
  if (said.length === 0) return { say: "no" };
  if (form !== "choose") return { say: "yes", words: said.join("\n") };
  const ids = said.filter((one) => options.some(({ id }) => id === one));
  return ids.length > 0 ? { say: "yes", choices: ids } : { say: "yes", words: said.join(", ") };
}
