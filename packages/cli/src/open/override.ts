import { resolve } from "node:path";
import { type Key, keys, specOf, type Values } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import { otherRoots } from "../argv/directory.ts";
import type { LaunchFlags } from "../argv/flag.ts";
import { noSuch } from "../argv/unknown.ts";
import type { Io } from "../io/io.ts";

/** Flags and variables that are the last word on a setting: flags first. What is no number is left to the settings. */
export function overridesOf(flags: LaunchFlags, { env, cwd }: Pick<Io, "env" | "cwd">): Result<Values, "usage"> {
  if (flags.yolo && flags.approval && flags.approval !== "yolo")
    return fail("usage", `--yolo and --approval ${flags.approval} do not go together`);
  const tools = flags.tools === undefined ? ok({}) : onlyTools(flags.tools.split(",").map((name) => name.trim()));
  if (!tools.ok) return tools;
  const roots = otherRoots(flags["add-dir"], cwd);
  if (!roots.ok) return roots;
  const ms = (name: string) => (/^\d{1,9}$/.test(env[name]?.trim() ?? "") ? Number(env[name]) : undefined);
  const values: Values = {
    ...tools.value,
    ...roots.value,
    model: env.PITH_MODEL,
    "roles.smol": flags.smol ?? env.PITH_SMOL_MODEL,
    "roles.slow": flags.slow ?? env.PITH_SLOW_MODEL,
    "roles.plan": flags.plan ?? env.PITH_PLAN_MODEL,
    "stream.firstEventTimeoutMs": ms("PITH_STREAM_FIRST_EVENT_TIMEOUT_MS"),
    "stream.idleTimeoutMs": ms("PITH_STREAM_IDLE_TIMEOUT_MS"),
    thinking: flags.thinking,
    "session.dir": flags["session-dir"] && resolve(cwd, flags["session-dir"]),
    "approval.mode": flags.yolo ? "yolo" : flags.approval,
    "sandbox.mode": flags.sandbox,
    "turns.max": flags["max-turns"],
  };
  return ok(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== "")));
}

function onlyTools(wanted: readonly string[]): Result<Values, "usage"> {
  const switches = keys.filter((key) => specOf(key).group === "Tools");
  const nameOf = (key: Key) => key.replace(/\.enabled$/, "");
  const odd = wanted.find((name) => !switches.some((key) => nameOf(key) === name));
  if (odd !== undefined) return fail("usage", `--tools: ${noSuch("tool", odd, switches.map(nameOf))}`);
  return ok(Object.fromEntries(switches.map((key) => [key, wanted.includes(nameOf(key))])));
}
