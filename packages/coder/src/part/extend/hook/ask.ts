import { runProgram } from "@pith/host";
import { isRecord, messageOf, parseJson, plural } from "@pith/kit";
import { clampEffort } from "@pith/llm";
import type { Hall } from "../../../hall/hall.ts";
import { type Heard, readClaude, readOwn, type Said } from "./answer.ts";
import prose from "./prompt-hook.md" with { type: "text" };
import { type HookRow, isGuard } from "./row.ts";

export type AskNeeds = Pick<Hall, "ground" | "shellEnv" | "cwd" | "env" | "capabilities" | "aside" | "choice">;

/** Asks one hook. Every way in which it does not answer is a fault. */
export async function askHook(
  hall: AskNeeds,
  row: HookRow,
  payload: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Heard> {
  const { data } = row.item;
  if (row.broken !== undefined) return { ok: false, why: `it cannot be read: ${row.broken}` };
  // Its files may have changed since the conversation began.
  if (!hall.capabilities.isTrusted(row.item))
    return { ok: false, why: "it has changed since you trusted it (pith trust)" };
  const said = await ways[data.how ?? "command"](hall, row, payload, signal);
  if (!said.ok) return said;
  return (data.dialect === "pith" ? readOwn : readClaude)(data.event, said.said);
}

type Way = (hall: AskNeeds, row: HookRow, payload: object, signal: AbortSignal) => Promise<Reply>;
type Reply = { ok: true; said: Said } | { ok: false; why: string };

async function byProgram(
  { ground, shellEnv, cwd }: AskNeeds,
  row: HookRow,
  payload: object,
  signal: AbortSignal,
): Promise<Reply> {
  const { data } = row.item;
  const limit = timeoutOf(row);
  const ran = await runProgram(ground, {
    argv: ["/bin/sh", "-c", data.runs],
    cwd,
    env: {
      ...shellEnv,
      CLAUDE_PROJECT_DIR: row.folder,
      PITH_PROJECT_DIR: row.folder,
      ...(data.plugin !== undefined && { CLAUDE_PLUGIN_ROOT: data.plugin }),
    },
    input: JSON.stringify(payload),
    limits,
    timeoutMs: limit,
    maxOutput,
    signal,
  });
  if (!ran.ok) return { ok: false, why: ran.message };
  const { end, exitCode, signal: killed, limit: breach, output, complaints } = ran.value;
  if (end === "timeout") return { ok: false, why: `it took longer than ${plural(limit / 1000, "second")}` };
  if (end === "abort") return { ok: false, why: "it was interrupted" };
  if (end === "limit" || breach) return { ok: false, why: `it was ended: ${breach?.text ?? "a limit"}` };
  if (exitCode === undefined) return { ok: false, why: `it was ended by ${killed ?? "a signal"}` };
  return { ok: true, said: { exitCode, output, complaints } };
}

async function overHttp({ env }: AskNeeds, row: HookRow, payload: object, signal: AbortSignal): Promise<Reply> {
  const { data } = row.item;
  const passes = new Set(data.passes);
  const filled = (text: string) =>
    text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => (passes.has(name) ? (env[name] ?? "") : ""));
  const headers = Object.fromEntries(Object.entries(data.headers ?? {}).map(([name, value]) => [name, filled(value)]));
  try {
    const response = await fetch(data.runs, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(payload),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutOf(row))]),
    });
    const output = await shortText(response);
    if (output === undefined) return { ok: false, why: "its answer is too long" };
    if (!response.ok) return { ok: false, why: `its server answered with ${response.status}` };
    return { ok: true, said: { exitCode: 0, output, complaints: "" } };
  } catch (error) {
    return { ok: false, why: `its server did not answer: ${messageOf(error)}` };
  }
}

/** Asks a small model, whose answer is `{"ok": …, "reason": …}`. */
async function byModel(
  { aside, choice }: AskNeeds,
  row: HookRow,
  payload: object,
  signal: AbortSignal,
): Promise<Reply> {
  const model = await choice.small();
  const given = JSON.stringify(payload).slice(0, mostForModel).toWellFormed();
  const { runs } = row.item.data;
  const content = runs.includes("$ARGUMENTS") ? runs.replaceAll("$ARGUMENTS", () => given) : `${runs}\n\n${given}`;
  const { message, failure } = await aside(
    {
      model,
      purpose: "aside",
      system: [prose.trim()],
      messages: [{ role: "user", content, timestamp: 0 }],
      tools: [],
      effort: clampEffort(model, "off"),
      maxOutput: Math.min(1024, model.maxOutput),
    },
    AbortSignal.any([signal, AbortSignal.timeout(timeoutOf(row))]),
  );
  if (failure) return { ok: false, why: `the model did not answer: ${failure.message}` };
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const [output] = /\{[\s\S]*\}/.exec(text) ?? [];
  const fields = output === undefined ? undefined : parseJson(output);
  if (!isRecord(fields) || typeof fields.ok !== "boolean")
    return { ok: false, why: "the model's answer does not say ok" };
  return {
    ok: true,
    said: { exitCode: 0, output: JSON.stringify({ ok: fields.ok, reason: fields.reason }), complaints: "" },
  };
}

const ways: Readonly<Record<"command" | "http" | "prompt", Way>> = {
  command: byProgram,
  http: overHttp,
  prompt: byModel,
};

async function shortText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxOutput) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Time that a hook has; its own row may give it more or less. */
function timeoutOf(row: HookRow): number {
  const { timeoutMs, dialect } = row.item.data;
  return Math.min(longestMs, timeoutMs ?? (dialect === "claude" ? 60_000 : isGuard(row) ? 30_000 : 5000));
}

const mostForModel = 100_000;
const longestMs = 10 * 60_000;
const maxOutput = 1024 * 1024;
const limits = { memory: 4 * 1024 * 1024 * 1024, processes: 1024 };
