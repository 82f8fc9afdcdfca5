import type { Intent } from "@pith/agent";
import type { SandboxSide, ShellCommand } from "@pith/host";
import { isHarmlessIn } from "../../../policy/mode.ts";
import type { BashInput, BashOptions } from "./input.ts";

interface CommandPlace extends Pick<Intent, "held" | "outside"> {
  side: SandboxSide;
  writes?: ShellCommand["writes"];
}

type Judged = Pick<Intent, "judged" | "confined"> & { wanted: Pick<BashInput, "needs" | "env" | "async"> };

/**
 * Chooses the place for a command: one where nothing that it does can be kept, if that is all it may do unasked. Text
 * where there is none for it.
 */
export async function placeOf(options: BashOptions, command: Judged): Promise<CommandPlace | string> {
  const { approval = () => "auto", sandbox, looks } = options;
  const { judged, confined, wanted } = command;
  const { needs, env } = wanted;
  if (looks) return lookingPlace(command);
  const mode = approval();
  const plan = mode === "plan";
  if (needs === "outside") return { side: "outside", outside: plan && sandbox?.on() ? true : undefined };
  const harmless = judged && isHarmlessIn(mode, judged.judgement, confined ? "confined" : "open");
  if (!confined) return harmless && !needs && !env ? { side: "plain", held: true } : { side: "outside" };
  const side = needs === "network" ? "networked" : "reading";
  if (plan && harmless && needs !== "write") return { side, writes: await planWrites(options, command), held: true };
  if (harmless && needs === undefined) return { side, writes: "nothing", held: true };
  return { side: needs === "network" ? side : "inside" };
}

/** Names a place for people. */
export function placeText({ side, writes }: CommandPlace, sandbox: "sandbox" | "none"): string {
  if (side === "outside" || side === "plain")
    return sandbox === "sandbox" ? "outside of the sandbox" : "without a sandbox";
  if (writes === "nothing") return "in the read-only sandbox";
  if (writes === "layers") return "in the sandbox, on copies of files that are thrown away";
  return side === "networked" ? "in the sandbox, with the network of this machine" : "in the sandbox";
}

/** Chooses what a command writes in plan mode: layers, if it may write at all. */
async function planWrites({ sandbox }: BashOptions, { judged, wanted }: Judged): Promise<ShellCommand["writes"]> {
  // A job would see the files below its layer change.
  if (wanted.async) return "nothing";
  const looks = wanted.needs === undefined && judged && isHarmlessIn("write", judged.judgement, "confined");
  return !looks && (await sandbox?.layers()) === "layers" ? "layers" : "nothing";
}

/** Chooses the place for a command of a sub-agent, which only looks. */
function lookingPlace({ judged, confined, wanted: { needs, env } }: Judged): CommandPlace | string {
  if (needs !== undefined) return onlyLooks;
  if (confined) return { side: "reading", writes: "nothing", held: true };
  return judged?.judgement.plain === undefined || env ? onlyPlain : { side: "plain", held: true };
}

const onlyLooks =
  "A sub-agent only looks: its commands run where nothing can be written, and without a network. Report what is missing.";
const onlyPlain =
  "Not run: without a sandbox a sub-agent runs only plain commands that read, every word literal. Report what is missing.";
