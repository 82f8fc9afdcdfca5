import { resolve } from "node:path";
import { type Key, keys, specOf, type Values } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";
import { otherRoots } from "../argv/directory.ts";
import type { LaunchFlags } from "../argv/flag.ts";
import type { Io } from "../io/io.ts";

/** Settings that flags and variables decide, flags first. A variable that is no number is passed over. */
export function overridesOf(flags: LaunchFlags, { env, cwd }: Pick<Io, "env" | "cwd">): Result<Values, "usage"> {
  if (flags.yolo && flags.approval && flags.approval !== "yolo")
    return fail("usage", `--yolo and --approval ${flags.approval} do not go together`);
  if (flags.ci && (flags.yolo || flags.approval === "yolo"))
    return fail("usage", "--ci and --yolo do not go together: what runs unwatched keeps its guards");
  const roots = otherRoots(flags["add-dir"], cwd);
  if (!roots.ok) return roots;
  const ms = (name: string) => (/^\d{1,9}$/.test(env[name]?.trim() ?? "") ? Number(env[name]) : undefined);
  const values: Values = {
    ...withTools(namesIn(flags.tools ?? "")),
    ...roots.value,
    model: env.PITH_MODEL,
    "roles.smol": flags.smol ?? env.PITH_SMOL_MODEL,
    "roles.slow": flags.slow ?? env.PITH_SLOW_MODEL,
    "roles.plan": flags.plan ?? env.PITH_PLAN_MODEL,
    "roles.explore": flags.explore ?? env.PITH_EXPLORE_MODEL,
    "stream.firstEventTimeoutMs": ms("PITH_STREAM_FIRST_EVENT_TIMEOUT_MS"),
    "stream.idleTimeoutMs": ms("PITH_STREAM_IDLE_TIMEOUT_MS"),
    thinking: flags.thinking,
    notifications: /^(?:off|0|false)$/i.test(env.PITH_NOTIFICATIONS ?? "") ? false : undefined,
    "session.dir": flags["session-dir"] && resolve(cwd, flags["session-dir"]),
    "approval.mode": flags.yolo ? "yolo" : (flags.approval ?? (flags.ci && "auto")),
    "sandbox.mode": flags.sandbox ?? (flags.ci && "workspace"),
    "turns.max": flags["max-turns"],
  };
  const said = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return ok({ ...Object.fromEntries(said), ...(flags.ci && closed) });
}

/** Settings of `--ci`: no host is reached and no command gets a key, whatever else is set. */
const closed: Values = { "sandbox.domains": "", "sandbox.localhost": "", "env.pass": "" };

/** Splits a list that is typed with commas. */
export const namesIn = (text: string): string[] => text.split(",").flatMap((name) => name.trim() || []);

/** Switches named tools on, whatever the settings say; all others are left out where tools are registered. */
function withTools(wanted: readonly string[]): Values {
  if (wanted.length === 0) return {};
  const switches = keys.filter((key) => specOf(key).group === "Tools");
  const named = (key: Key) => wanted.some((name) => key === `${name === "rewind" ? "checkpoint" : name}.enabled`);
  return Object.fromEntries(switches.filter(named).map((key) => [key, true]));
}
